<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
  <context>
    <name>ActionBar</name>
    <message numerus="yes">
      <source>%Ln documents marked for removal</source>
      <translation>
        <numerusform>%Ln document marked for removal</numerusform>
        <numerusform>%Ln documents marked for removal</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln marks are in hidden groups</source>
      <translation>
        <numerusform>%Ln mark is in a hidden group</numerusform>
        <numerusform>%Ln marks are in hidden groups</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Undo the decision about %Ln documents</source>
      <translation>
        <numerusform>Undo the decision about %Ln document</numerusform>
        <numerusform>Undo the decision about %Ln documents</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>AssistantSheet</name>
    <message numerus="yes">
      <source>%Ln groups stay undecided because the rules tie.</source>
      <translation>
        <numerusform>%Ln group stay undecided because the rules tie.</numerusform>
        <numerusform>%Ln groups stay undecided because the rules tie.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Mark %Ln documents</source>
      <translation>
        <numerusform>Mark %Ln document</numerusform>
        <numerusform>Mark %Ln documents</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>BorderHint</name>
    <message numerus="yes">
      <source>%Ln pairs lie on the border of %1.</source>
      <translation>
        <numerusform>%Ln pair lies on the border of %1.</numerusform>
        <numerusform>%Ln pairs lie on the border of %1.</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>ClusterDetail</name>
    <message numerus="yes">
      <source>%1 in %Ln formats · %2 can be freed</source>
      <translation>
        <numerusform>%1 in %Ln format · %2 can be freed</numerusform>
        <numerusform>%1 in %Ln formats · %2 can be freed</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln files of this group changed since the scan</source>
      <translation>
        <numerusform>%Ln file of this group changed since the scan</numerusform>
        <numerusform>%Ln files of this group changed since the scan</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>ClusterPane</name>
    <message numerus="yes">
      <source>No duplicates in %Ln documents.</source>
      <translation>
        <numerusform>No duplicates in %Ln document.</numerusform>
        <numerusform>No duplicates in %Ln documents.</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Deciding</name>
    <message numerus="yes">
      <source>Remove the %Ln parts too</source>
      <translation>
        <numerusform>Remove the %Ln part too</numerusform>
        <numerusform>Remove the %Ln parts too</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Figures</name>
    <message numerus="yes">
      <source>%Ln bytes</source>
      <translation>
        <numerusform>%Ln byte</numerusform>
        <numerusform>%Ln bytes</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>FileList</name>
    <message numerus="yes">
      <source>%Ln files</source>
      <translation>
        <numerusform>%Ln file</numerusform>
        <numerusform>%Ln files</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>FolderRow</name>
    <message numerus="yes">
      <source>%Ln documents</source>
      <translation>
        <numerusform>%Ln document</numerusform>
        <numerusform>%Ln documents</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>FormDetail</name>
    <message numerus="yes">
      <source>%Ln fillings</source>
      <translation>
        <numerusform>%Ln filling</numerusform>
        <numerusform>%Ln fillings</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln places left empty</source>
      <translation>
        <numerusform>%Ln place left empty</numerusform>
        <numerusform>%Ln places left empty</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln words, shown once</source>
      <translation>
        <numerusform>%Ln word, shown once</numerusform>
        <numerusform>%Ln words, shown once</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>they differ in %Ln short places</source>
      <translation>
        <numerusform>they differ in %Ln short place</numerusform>
        <numerusform>they differ in %Ln short places</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>FormList</name>
    <message numerus="yes">
      <source>%Ln fillings</source>
      <translation>
        <numerusform>%Ln filling</numerusform>
        <numerusform>%Ln fillings</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln forms</source>
      <translation>
        <numerusform>%Ln form</numerusform>
        <numerusform>%Ln forms</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>FormsModel</name>
    <message numerus="yes">
      <source>%Ln fillings</source>
      <translation>
        <numerusform>%Ln filling</numerusform>
        <numerusform>%Ln fillings</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>HistoryPage</name>
    <message numerus="yes">
      <source>%Ln are not.</source>
      <translation>
        <numerusform>%Ln is not.</numerusform>
        <numerusform>%Ln are not.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln deleted from quarantine</source>
      <translation>
        <numerusform>%Ln deleted from quarantine</numerusform>
        <numerusform>%Ln deleted from quarantine</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents are back in their folders.</source>
      <translation>
        <numerusform>%Ln document is back in its folder.</numerusform>
        <numerusform>%Ln documents are back in their folders.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents moved to a folder</source>
      <translation>
        <numerusform>%Ln document moved to a folder</numerusform>
        <numerusform>%Ln documents moved to a folder</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents moved to the %1</source>
      <translation>
        <numerusform>%Ln document moved to the %1</numerusform>
        <numerusform>%Ln documents moved to the %1</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents moved to the quarantine</source>
      <translation>
        <numerusform>%Ln document moved to the quarantine</numerusform>
        <numerusform>%Ln documents moved to the quarantine</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents were not restored</source>
      <translation>
        <numerusform>%Ln document was not restored</numerusform>
        <numerusform>%Ln documents were not restored</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents were skipped — they are where they were</source>
      <translation>
        <numerusform>%Ln document was skipped — it is where it was</numerusform>
        <numerusform>%Ln documents were skipped — they are where they were</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln exact copies replaced by hard links</source>
      <translation>
        <numerusform>%Ln exact copy replaced by a hard link</numerusform>
        <numerusform>%Ln exact copies replaced by hard links</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln in quarantine</source>
      <translation>
        <numerusform>%Ln in quarantine</numerusform>
        <numerusform>%Ln in quarantine</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln lines of it cannot be read</source>
      <translation>
        <numerusform>%Ln line of it cannot be read</numerusform>
        <numerusform>%Ln lines of it cannot be read</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln moved</source>
      <translation>
        <numerusform>%Ln moved</numerusform>
        <numerusform>%Ln moved</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln restored</source>
      <translation>
        <numerusform>%Ln restored</numerusform>
        <numerusform>%Ln restored</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln skipped</source>
      <translation>
        <numerusform>%Ln skipped</numerusform>
        <numerusform>%Ln skipped</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Everything dupfinder changed, with a way back. Kept for %Ln days, and while it can be restored.</source>
      <translation>
        <numerusform>Everything dupfinder changed, with a way back. Kept for %Ln day, and while it can be restored.</numerusform>
        <numerusform>Everything dupfinder changed, with a way back. Kept for %Ln days, and while it can be restored.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Restore %Ln documents?</source>
      <translation>
        <numerusform>Restore %Ln document?</numerusform>
        <numerusform>Restore %Ln documents?</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>MembersModel</name>
    <message numerus="yes">
      <source>%1 and %Ln identical copies</source>
      <translation>
        <numerusform>%1 and %Ln identical copy</numerusform>
        <numerusform>%1 and %Ln identical copies</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln copies</source>
      <translation>
        <numerusform>%Ln copy</numerusform>
        <numerusform>%Ln copies</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln fingerprint bits differ</source>
      <translation>
        <numerusform>%Ln fingerprint bit differs</numerusform>
        <numerusform>%Ln fingerprint bits differ</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln identical copies</source>
      <translation>
        <numerusform>%Ln identical copy</numerusform>
        <numerusform>%Ln identical copies</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Refusal</name>
    <message numerus="yes">
      <source>%Ln are fillings of one form</source>
      <translation>
        <numerusform>%Ln is a filling of a form</numerusform>
        <numerusform>%Ln are fillings of one form</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln are parts of longer documents</source>
      <translation>
        <numerusform>%Ln is a part of a longer document</numerusform>
        <numerusform>%Ln are parts of longer documents</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln are too unlike what stays</source>
      <translation>
        <numerusform>%Ln is too unlike what stays</numerusform>
        <numerusform>%Ln are too unlike what stays</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln have text that no other file has</source>
      <translation>
        <numerusform>%Ln has text that no other file has</numerusform>
        <numerusform>%Ln have text that no other file has</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln stay as the kept copy</source>
      <translation>
        <numerusform>%Ln stays as the kept copy</numerusform>
        <numerusform>%Ln stay as the kept copy</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Removal</name>
    <message numerus="yes">
      <source>&amp;Make %Ln hard links</source>
      <translation>
        <numerusform>&amp;Make %Ln hard link</numerusform>
        <numerusform>&amp;Make %Ln hard links</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>&amp;Move %Ln documents</source>
      <translation>
        <numerusform>&amp;Move %Ln document</numerusform>
        <numerusform>&amp;Move %Ln documents</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>&amp;Move %Ln to %1</source>
      <translation>
        <numerusform>&amp;Move %Ln to %1</numerusform>
        <numerusform>&amp;Move %Ln to %1</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Move %Ln documents to another folder?</source>
      <translation>
        <numerusform>Move %Ln document to another folder?</numerusform>
        <numerusform>Move %Ln documents to another folder?</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Move %Ln documents to the %1?</source>
      <translation>
        <numerusform>Move %Ln document to the %1?</numerusform>
        <numerusform>Move %Ln documents to the %1?</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Replace %Ln documents by hard links?</source>
      <translation>
        <numerusform>Replace %Ln document by a hard link?</numerusform>
        <numerusform>Replace %Ln documents by hard links?</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>RemovalSheet</name>
    <message numerus="yes">
      <source>%Ln documents cannot be linked: they are no exact copies on the same volume. They stay.</source>
      <translation>
        <numerusform>%Ln document cannot be linked: it is no exact copy on the same volume. It stays.</numerusform>
        <numerusform>%Ln documents cannot be linked: they are no exact copies on the same volume. They stay.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln of them have not been opened in the comparison yet.</source>
      <translation>
        <numerusform>%Ln of them has not been opened in the comparison yet.</numerusform>
        <numerusform>%Ln of them have not been opened in the comparison yet.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>These are %Ln documents. Take your time.</source>
      <translation>
        <numerusform>This is %Ln document. Take your time.</numerusform>
        <numerusform>These are %Ln documents. Take your time.</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Results</name>
    <message numerus="yes">
      <source>%1 (%Ln distant)</source>
      <translation>
        <numerusform>%1 (%Ln distant)</numerusform>
        <numerusform>%1 (%Ln distant)</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents</source>
      <translation>
        <numerusform>%Ln document</numerusform>
        <numerusform>%Ln documents</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents removed</source>
      <translation>
        <numerusform>%Ln document removed</numerusform>
        <numerusform>%Ln documents removed</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents restored</source>
      <translation>
        <numerusform>%Ln document restored</numerusform>
        <numerusform>%Ln documents restored</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln groups</source>
      <translation>
        <numerusform>%Ln group</numerusform>
        <numerusform>%Ln groups</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln identical</source>
      <translation>
        <numerusform>%Ln identical</numerusform>
        <numerusform>%Ln identical</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln more</source>
      <translation>
        <numerusform>%Ln more</numerusform>
        <numerusform>%Ln more</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln not: see History</source>
      <translation>
        <numerusform>%Ln not: see History</numerusform>
        <numerusform>%Ln not: see History</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln parts</source>
      <translation>
        <numerusform>%Ln part</numerusform>
        <numerusform>%Ln parts</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln same text</source>
      <translation>
        <numerusform>%Ln same text</numerusform>
        <numerusform>%Ln same text</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln same words</source>
      <translation>
        <numerusform>%Ln same words</numerusform>
        <numerusform>%Ln same words</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln skipped</source>
      <translation>
        <numerusform>%Ln skipped</numerusform>
        <numerusform>%Ln skipped</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln versions</source>
      <translation>
        <numerusform>%Ln version</numerusform>
        <numerusform>%Ln versions</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>edited in %Ln places</source>
      <translation>
        <numerusform>edited in %Ln place</numerusform>
        <numerusform>edited in %Ln places</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>ResultsSheets</name>
    <message numerus="yes">
      <source>%Ln documents are marked.</source>
      <translation>
        <numerusform>%Ln document is marked.</numerusform>
        <numerusform>%Ln documents are marked.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents marked. Nothing is removed yet.</source>
      <translation>
        <numerusform>%Ln document marked. Nothing is removed yet.</numerusform>
        <numerusform>%Ln documents marked. Nothing is removed yet.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>All %Ln groups reviewed.</source>
      <translation>
        <numerusform>The %Ln group is reviewed.</numerusform>
        <numerusform>All %Ln groups reviewed.</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>ScanningPage</name>
    <message numerus="yes">
      <source>%Ln files could not be read</source>
      <translation>
        <numerusform>%Ln file could not be read</numerusform>
        <numerusform>%Ln files could not be read</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln files in hand</source>
      <translation>
        <numerusform>%Ln file in hand</numerusform>
        <numerusform>%Ln files in hand</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln files so far</source>
      <translation>
        <numerusform>%Ln file so far</numerusform>
        <numerusform>%Ln files so far</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln found</source>
      <translation>
        <numerusform>%Ln found</numerusform>
        <numerusform>%Ln found</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>in %Ln documents</source>
      <translation>
        <numerusform>in %Ln document</numerusform>
        <numerusform>in %Ln documents</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>SetupPage</name>
    <message numerus="yes">
      <source>%Ln are unchanged since they were read and are not read again</source>
      <translation>
        <numerusform>%Ln is unchanged since it was read and is not read again</numerusform>
        <numerusform>%Ln are unchanged since they were read and are not read again</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents</source>
      <translation>
        <numerusform>%Ln document</numerusform>
        <numerusform>%Ln documents</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>SimilarityCard</name>
    <message numerus="yes">
      <source>%Ln verified pairs</source>
      <translation>
        <numerusform>%Ln verified pair</numerusform>
        <numerusform>%Ln verified pairs</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>SourceBars</name>
    <message numerus="yes">
      <source>%Ln pairs further apart than %1 are not shown.</source>
      <translation>
        <numerusform>%Ln pair further apart than %1 is not shown.</numerusform>
        <numerusform>%Ln pairs further apart than %1 are not shown.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>within %Ln bits</source>
      <translation>
        <numerusform>within %Ln bit</numerusform>
        <numerusform>within %Ln bits</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>WelcomePage</name>
    <message numerus="yes">
      <source>%Ln documents</source>
      <translation>
        <numerusform>%Ln document</numerusform>
        <numerusform>%Ln documents</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln groups</source>
      <translation>
        <numerusform>%Ln group</numerusform>
        <numerusform>%Ln groups</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln marked</source>
      <translation>
        <numerusform>%Ln marked</numerusform>
        <numerusform>%Ln marked</numerusform>
      </translation>
    </message>
  </context>
</TS>
