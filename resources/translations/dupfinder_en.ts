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
    <name>BoilerplateSheet</name>
    <message numerus="yes">
      <source>%Ln changes take effect when the documents are grouped again. None is read again.</source>
      <translation>
        <numerusform>%Ln change takes effect when the documents are grouped again. None is read again.</numerusform>
        <numerusform>%Ln changes take effect when the documents are grouped again. None is read again.</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>ClusterDetail</name>
    <message numerus="yes">
      <source>%1 in %Ln formats · at least %2 contained · %3 can be freed</source>
      <translation>
        <numerusform>%1 in %Ln format · at least %2 contained · %3 can be freed</numerusform>
        <numerusform>%1 in %Ln formats · at least %2 contained · %3 can be freed</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%1 in %Ln formats · at least %2 similar · %3 can be freed</source>
      <translation>
        <numerusform>%1 in %Ln format · at least %2 similar · %3 can be freed</numerusform>
        <numerusform>%1 in %Ln formats · at least %2 similar · %3 can be freed</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%1 in %Ln formats · the same text · %3 can be freed</source>
      <translation>
        <numerusform>%1 in %Ln format · the same text · %3 can be freed</numerusform>
        <numerusform>%1 in %Ln formats · the same text · %3 can be freed</numerusform>
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
    <name>HistoryPage</name>
    <message numerus="yes">
      <source>%Ln are not.</source>
      <translation>
        <numerusform>%Ln is not.</numerusform>
        <numerusform>%Ln are not.</numerusform>
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
      <source>Everything dupfinder changed, with a way back. Kept for %Ln days.</source>
      <translation>
        <numerusform>Everything dupfinder changed, with a way back. Kept for %Ln day.</numerusform>
        <numerusform>Everything dupfinder changed, with a way back. Kept for %Ln days.</numerusform>
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
      <source>%Ln fingerprint bits differ</source>
      <translation>
        <numerusform>%Ln fingerprint bit differs</numerusform>
        <numerusform>%Ln fingerprint bits differ</numerusform>
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
      <source>%Ln marked documents are near-duplicates: their text differs from the kept copy</source>
      <translation>
        <numerusform>%Ln marked document is a near-duplicate: its text differs from the kept copy</numerusform>
        <numerusform>%Ln marked documents are near-duplicates: their text differs from the kept copy</numerusform>
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
      <source>%Ln not: see History</source>
      <translation>
        <numerusform>%Ln not: see History</numerusform>
        <numerusform>%Ln not: see History</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln skipped</source>
      <translation>
        <numerusform>%Ln skipped</numerusform>
        <numerusform>%Ln skipped</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>ResultsPage</name>
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
