"""Words for people: sentences on problems, errors, outcomes and relations, and the catalogue that translates them.

A caller passes codes and facts and gets a whole sentence in the language of the process. Window, reports and command
line share one catalogue: `resources/translations/*.po`. Nothing here decides anything, reads a document or imports Qt.
"""
