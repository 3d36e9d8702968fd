"""Words for people: sentences about problems, errors, outcomes and relations, and the catalogue that translates them.

A caller passes codes and facts and gets a whole sentence in the language in use. Window, reports and command line share
one catalogue: `resources/translations/*.po`. Decides nothing, reads no document, and never imports Qt.
"""
