<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>ActionBar</name>
    <message>
      <source>%1 to free</source>
      <translation>可释放 %1</translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents marked for removal</source>
      <translation>
        <numerusform>已标记移除 %Ln 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln marks are in hidden groups</source>
      <translation>
        <numerusform>%Ln 个标记在隐藏的组中</numerusform>
      </translation>
    </message>
    <message>
      <source>Bring the removed documents back</source>
      <translation>恢复已移除的文档</translation>
    </message>
    <message>
      <source>Mark documents with Space, or use Select automatically.</source>
      <translation>按空格键标记文档，或使用“自动选择”。</translation>
    </message>
    <message>
      <source>Nothing marked</source>
      <translation>没有标记</translation>
    </message>
    <message>
      <source>Nothing to undo</source>
      <translation>没有可撤销的操作</translation>
    </message>
    <message>
      <source>Review removal…</source>
      <translation>检查并移除…</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message numerus="yes">
      <source>Undo the decision about %Ln documents</source>
      <translation>
        <numerusform>撤销对 %Ln 个文档的决定</numerusform>
      </translation>
    </message>
    <message>
      <source>at least one copy of every document stays</source>
      <translation>每份文档至少保留一份</translation>
    </message>
  </context>
  <context>
    <name>AssistantSheet</name>
    <message>
      <source>%1 in %2</source>
      <translation>%2中的 %1</translation>
    </message>
    <message>
      <source>%1 keep one copy or more · %2 would be marked · %3</source>
      <translation>%1至少保留一份 · 将标记 %2 · %3</translation>
    </message>
    <message>
      <source>%1 · always on</source>
      <translation>%1 · 始终开启</translation>
    </message>
    <message numerus="yes">
      <source>%Ln groups stay undecided because the rules tie.</source>
      <translation>
        <numerusform>%Ln 组因规则不分先后而待定。</numerusform>
      </translation>
    </message>
    <message>
      <source>By folder</source>
      <translation>按文件夹</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Drag, or Alt+Up and Alt+Down, to change the order. The first rule that decides wins.</source>
      <translation>拖动或按 Alt+↑/↓ 调整顺序。先能决定的规则生效。</translation>
    </message>
    <message>
      <source>Identical</source>
      <translation>完全相同</translation>
    </message>
    <message numerus="yes">
      <source>Mark %Ln documents</source>
      <translation>
        <numerusform>标记 %Ln 个文档</numerusform>
      </translation>
    </message>
    <message>
      <source>Never touch protected folders</source>
      <translation>绝不改动受保护的文件夹</translation>
    </message>
    <message>
      <source>Nothing is removed yet.</source>
      <translation>尚未移除任何内容。</translation>
    </message>
    <message>
      <source>Parts of a longer document</source>
      <translation>较长文档的一部分</translation>
    </message>
    <message>
      <source>Preview</source>
      <translation>预览</translation>
    </message>
    <message>
      <source>Replace my own decisions</source>
      <translation>替换我自己的决定</translation>
    </message>
    <message>
      <source>Rules choose the copy to keep in each group and mark the others. You see the effect first.</source>
      <translation>规则在每组中选出要保留的副本，并标记其余的。您可先看到效果。</translation>
    </message>
    <message>
      <source>Same text in another format</source>
      <translation>其他格式的相同正文</translation>
    </message>
    <message>
      <source>Same words — pictures or comments differ</source>
      <translation>文字相同 — 图片或批注不同</translation>
    </message>
    <message>
      <source>Sample</source>
      <translation>示例</translation>
    </message>
    <message>
      <source>Select automatically</source>
      <translation>自动选择</translation>
    </message>
    <message>
      <source>Undecided</source>
      <translation>待定</translation>
    </message>
    <message>
      <source>Undecided %1</source>
      <translation>待定 %1</translation>
    </message>
    <message>
      <source>Versions — their texts differ</source>
      <translation>版本 — 正文不同</translation>
    </message>
    <message>
      <source>What the rules would do</source>
      <translation>规则的效果</translation>
    </message>
    <message>
      <source>Which copy stays</source>
      <translation>保留哪一份</translation>
    </message>
    <message>
      <source>Which duplicates</source>
      <translation>哪些重复</translation>
    </message>
    <message>
      <source>none in this scan</source>
      <translation>此扫描中没有</translation>
    </message>
  </context>
  <context>
    <name>BorderHint</name>
    <message numerus="yes">
      <source>%Ln pairs lie on the border of %1.</source>
      <translation>
        <numerusform>%Ln 对处于 %1 的边界。</numerusform>
      </translation>
    </message>
    <message>
      <source>By an estimate of their similarity: %1 shown, %2 not shown.</source>
      <translation>按相似度的估计：显示 %1 对，不显示 %2 对。</translation>
    </message>
    <message>
      <source>Review the %1</source>
      <translation>查看显示的 %1 对</translation>
    </message>
    <message>
      <source>Show the %1</source>
      <translation>显示其余 %1 对</translation>
    </message>
  </context>
  <context>
    <name>CalibrationChart</name>
    <message>
      <source>Radius to look at</source>
      <translation>要查看的半径</translation>
    </message>
    <message>
      <source>in use: k = %1</source>
      <translation>当前：k = %1</translation>
    </message>
    <message>
      <source>k = %1: %2 pairs at this distance are alike, %3 are not. Within it: precision %4, recall %5. Results show %6 of all alike pairs.</source>
      <translation>k = %1：此距离上 %2 对相似，%3 对不相似。在此半径内：准确率 %4，召回率 %5。结果显示全部相似对的 %6。</translation>
    </message>
  </context>
  <context>
    <name>CalibrationModel</name>
    <message>
      <source>%1 (in use)</source>
      <translation>%1（当前）</translation>
    </message>
    <message>
      <source>Alike</source>
      <translation>相似</translation>
    </message>
    <message>
      <source>Not alike</source>
      <translation>不相似</translation>
    </message>
    <message>
      <source>Precision</source>
      <translation>准确率</translation>
    </message>
    <message>
      <source>Radius k</source>
      <translation>半径 k</translation>
    </message>
    <message>
      <source>Recall</source>
      <translation>召回率</translation>
    </message>
    <message>
      <source>Results show</source>
      <translation>结果显示</translation>
    </message>
  </context>
  <context>
    <name>CalibrationSheet</name>
    <message>
      <source>A radius of %1 fits these documents.</source>
      <translation>半径 %1 适合这些文档。</translation>
    </message>
    <message>
      <source>Chart</source>
      <translation>图表</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Copy as JSON</source>
      <translation>复制为 JSON</translation>
    </message>
    <message>
      <source>Counting…</source>
      <translation>正在统计…</translation>
    </message>
    <message>
      <source>No two texts of this scan are alike, so no radius fits better than another.</source>
      <translation>此次扫描中没有相似的正文，因此各半径没有优劣之分。</translation>
    </message>
    <message>
      <source>Pairs of your documents by the number of fingerprint bits that differ, and whether their texts are alike by at least %1.</source>
      <translation>按指纹相差的位数统计文档对，并区分正文相似度是否达到 %1。</translation>
    </message>
    <message>
      <source>Pairs, precision and recall of each radius</source>
      <translation>每个半径的文档对数、准确率和召回率</translation>
    </message>
    <message>
      <source>Save as JSON…</source>
      <translation>保存为 JSON…</translation>
    </message>
    <message>
      <source>Save the data as</source>
      <translation>数据另存为</translation>
    </message>
    <message>
      <source>Table</source>
      <translation>表格</translation>
    </message>
    <message>
      <source>The data was copied.</source>
      <translation>数据已复制。</translation>
    </message>
    <message>
      <source>The radius in use, %1, fits these documents.</source>
      <translation>当前使用的半径 %1 适合这些文档。</translation>
    </message>
    <message>
      <source>The results then show %1 of the %2 pairs that are alike. A wider radius adds next to none.</source>
      <translation>此时结果会显示 %2 对相似文档中的 %1；更大的半径几乎不会再增加。</translation>
    </message>
    <message>
      <source>Use radius %1</source>
      <translation>使用半径 %1</translation>
    </message>
    <message>
      <source>Use this radius</source>
      <translation>使用此半径</translation>
    </message>
    <message>
      <source>View</source>
      <translation>视图</translation>
    </message>
    <message>
      <source>Which radius fits your documents?</source>
      <translation>哪个半径适合您的文档？</translation>
    </message>
    <message>
      <source>alike</source>
      <translation>相似</translation>
    </message>
    <message>
      <source>not alike</source>
      <translation>不相似</translation>
    </message>
    <message>
      <source>precision</source>
      <translation>准确率</translation>
    </message>
    <message>
      <source>recall</source>
      <translation>召回率</translation>
    </message>
  </context>
  <context>
    <name>ClusterDetail</name>
    <message numerus="yes">
      <source>%1 in %Ln formats · %2 can be freed</source>
      <translation>
        <numerusform>%1，%Ln 种格式 · 可释放 %2</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln files of this group changed since the scan</source>
      <translation>
        <numerusform>本组有 %Ln 个文件在扫描后已更改</numerusform>
      </translation>
    </message>
    <message>
      <source>Duplicates after all</source>
      <translation>仍是重复</translation>
    </message>
    <message>
      <source>Mark reviewed</source>
      <translation>标为已查看</translation>
    </message>
    <message>
      <source>Next group (Alt+Down)</source>
      <translation>下一组 (Alt+↓)</translation>
    </message>
    <message>
      <source>No group chosen</source>
      <translation>未选择组</translation>
    </message>
    <message>
      <source>Not duplicates</source>
      <translation>不是重复</translation>
    </message>
    <message>
      <source>Previous group (Alt+Up)</source>
      <translation>上一组 (Alt+↑)</translation>
    </message>
    <message>
      <source>Read again</source>
      <translation>重新读取</translation>
    </message>
    <message>
      <source>Reviewed</source>
      <translation>已查看</translation>
    </message>
    <message>
      <source>They can be compared as they are now, but neither marked nor kept for another.</source>
      <translation>可以按现在的内容比较，但不能标记，也不能作为保留的副本。</translation>
    </message>
  </context>
  <context>
    <name>ClusterList</name>
    <message>
      <source>Groups</source>
      <translation>组</translation>
    </message>
  </context>
  <context>
    <name>ClusterPane</name>
    <message>
      <source>%1 kept + %2 beside them</source>
      <translation>保留 %1 + 其他 %2</translation>
    </message>
    <message>
      <source>%1–%2 / %3</source>
      <translation>%1–%2 / %3</translation>
    </message>
    <message>
      <source>Clear filters</source>
      <translation>清除筛选</translation>
    </message>
    <message>
      <source>Filter</source>
      <translation>筛选</translation>
    </message>
    <message>
      <source>Filter (%1)</source>
      <translation>筛选（%1）</translation>
    </message>
    <message>
      <source>Folder</source>
      <translation>文件夹</translation>
    </message>
    <message>
      <source>Identical %1</source>
      <translation>完全相同 %1</translation>
    </message>
    <message>
      <source>Look for looser matches</source>
      <translation>查找更宽松的匹配</translation>
    </message>
    <message>
      <source>Mark all that is shown</source>
      <translation>标记显示的全部</translation>
    </message>
    <message>
      <source>Marked (%1)</source>
      <translation>已标记（%1）</translation>
    </message>
    <message>
      <source>Most copies</source>
      <translation>副本最多</translation>
    </message>
    <message>
      <source>Most similar</source>
      <translation>最相似</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Newest first</source>
      <translation>最近修改优先</translation>
    </message>
    <message numerus="yes">
      <source>No duplicates in %Ln documents.</source>
      <translation>
        <numerusform>%Ln 个文档中没有重复。</numerusform>
      </translation>
    </message>
    <message>
      <source>No group matches these filters.</source>
      <translation>没有组符合这些筛选条件。</translation>
    </message>
    <message>
      <source>Not reviewed (%1)</source>
      <translation>未查看（%1）</translation>
    </message>
    <message>
      <source>Parts %1</source>
      <translation>部分 %1</translation>
    </message>
    <message>
      <source>Relation to the kept copy</source>
      <translation>与保留副本的关系</translation>
    </message>
    <message>
      <source>Said to be no duplicates (%1)</source>
      <translation>已认定不重复（%1）</translation>
    </message>
    <message>
      <source>Same form %1</source>
      <translation>同一表单 %1</translation>
    </message>
    <message>
      <source>Same text %1</source>
      <translation>正文相同 %1</translation>
    </message>
    <message>
      <source>Same words %1</source>
      <translation>文字相同 %1</translation>
    </message>
    <message>
      <source>Show everything</source>
      <translation>显示全部</translation>
    </message>
    <message>
      <source>Space to free</source>
      <translation>可释放空间</translation>
    </message>
    <message>
      <source>Versions %1</source>
      <translation>版本 %1</translation>
    </message>
    <message>
      <source>With protected copies (%1)</source>
      <translation>含受保护副本（%1）</translation>
    </message>
  </context>
  <context>
    <name>ClustersModel</name>
    <message>
      <source>%1 to free</source>
      <translation>可释放 %1</translation>
    </message>
    <message>
      <source>has marked documents</source>
      <translation>有已标记的文档</translation>
    </message>
    <message>
      <source>reviewed</source>
      <translation>已查看</translation>
    </message>
    <message>
      <source>row %1 of %2</source>
      <translation>第 %1 行，共 %2 行</translation>
    </message>
  </context>
  <context>
    <name>Commands</name>
    <message>
      <source>Back</source>
      <translation>返回</translation>
    </message>
    <message>
      <source>Back to the start page</source>
      <translation>返回首页</translation>
    </message>
    <message>
      <source>Choose the whole group</source>
      <translation>选中整个组</translation>
    </message>
    <message>
      <source>Compare with the kept copy</source>
      <translation>与保留的副本比较</translation>
    </message>
    <message>
      <source>Copy path</source>
      <translation>复制路径</translation>
    </message>
    <message>
      <source>Export</source>
      <translation>导出</translation>
    </message>
    <message>
      <source>Help and shortcuts</source>
      <translation>帮助与快捷键</translation>
    </message>
    <message>
      <source>History</source>
      <translation>历史记录</translation>
    </message>
    <message>
      <source>Keep</source>
      <translation>保留</translation>
    </message>
    <message>
      <source>Keep this, remove the rest</source>
      <translation>保留此份，移除其余</translation>
    </message>
    <message>
      <source>Looser</source>
      <translation>更宽松</translation>
    </message>
    <message>
      <source>Mark all that is shown</source>
      <translation>标记显示的全部</translation>
    </message>
    <message>
      <source>Mark for removal</source>
      <translation>标记移除</translation>
    </message>
    <message>
      <source>Mark reviewed and go on</source>
      <translation>标为已查看并继续</translation>
    </message>
    <message>
      <source>New scan</source>
      <translation>新建扫描</translation>
    </message>
    <message>
      <source>Next difference</source>
      <translation>下一处差异</translation>
    </message>
    <message>
      <source>Next group</source>
      <translation>下一组</translation>
    </message>
    <message>
      <source>Next region</source>
      <translation>下一区域</translation>
    </message>
    <message>
      <source>Not duplicates</source>
      <translation>不是重复</translation>
    </message>
    <message>
      <source>Open a scan</source>
      <translation>打开扫描</translation>
    </message>
    <message>
      <source>Open document</source>
      <translation>打开文档</translation>
    </message>
    <message>
      <source>Pause or resume</source>
      <translation>暂停或继续</translation>
    </message>
    <message>
      <source>Previous difference</source>
      <translation>上一处差异</translation>
    </message>
    <message>
      <source>Previous group</source>
      <translation>上一组</translation>
    </message>
    <message>
      <source>Previous region</source>
      <translation>上一区域</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>退出</translation>
    </message>
    <message>
      <source>Redo</source>
      <translation>重做</translation>
    </message>
    <message>
      <source>Review removal</source>
      <translation>检查并移除</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>搜索</translation>
    </message>
    <message>
      <source>Select automatically</source>
      <translation>自动选择</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>设置</translation>
    </message>
    <message>
      <source>Show in its folder</source>
      <translation>在文件夹中显示</translation>
    </message>
    <message>
      <source>Start scan</source>
      <translation>开始扫描</translation>
    </message>
    <message>
      <source>Stricter</source>
      <translation>更严格</translation>
    </message>
    <message>
      <source>Swap sides</source>
      <translation>交换两侧</translation>
    </message>
    <message>
      <source>Undecided</source>
      <translation>待定</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>Which radius fits</source>
      <translation>哪个半径合适</translation>
    </message>
  </context>
  <context>
    <name>ComparisonView</name>
    <message>
      <source>Case</source>
      <translation>大小写</translation>
    </message>
    <message>
      <source>Choose a group in the list.</source>
      <translation>请在列表中选择一组。</translation>
    </message>
    <message>
      <source>Compare</source>
      <translation>对比</translation>
    </message>
    <message>
      <source>Comparison of A and B</source>
      <translation>A 与 B 的比较</translation>
    </message>
    <message>
      <source>Difference %1 of %2</source>
      <translation>差异 %1 / %2</translation>
    </message>
    <message>
      <source>Ignore</source>
      <translation>忽略</translation>
    </message>
    <message>
      <source>Next difference (F8)</source>
      <translation>下一处差异 (F8)</translation>
    </message>
    <message>
      <source>No differences</source>
      <translation>没有差异</translation>
    </message>
    <message>
      <source>Nothing to compare</source>
      <translation>没有可比较的内容</translation>
    </message>
    <message>
      <source>One text goes on after the end of the other.</source>
      <translation>一份正文在另一份结束后继续。</translation>
    </message>
    <message>
      <source>Only numbers, dates and amounts differ.</source>
      <translation>仅数字、日期和金额不同。</translation>
    </message>
    <message>
      <source>Page %1 of %2</source>
      <translation>第 %1 页，共 %2 页</translation>
    </message>
    <message>
      <source>Pages</source>
      <translation>页面</translation>
    </message>
    <message>
      <source>Pages are shown when both documents are PDF</source>
      <translation>两个文档都是 PDF 时可显示页面</translation>
    </message>
    <message>
      <source>Previous difference (Shift+F8)</source>
      <translation>上一处差异 (Shift+F8)</translation>
    </message>
    <message>
      <source>Punctuation</source>
      <translation>标点</translation>
    </message>
    <message>
      <source>Spaces</source>
      <translation>空白</translation>
    </message>
    <message>
      <source>Swap sides (X)</source>
      <translation>交换两侧 (X)</translation>
    </message>
    <message>
      <source>Text</source>
      <translation>正文</translation>
    </message>
    <message>
      <source>The files are the same, byte for byte.</source>
      <translation>两个文件逐字节完全相同。</translation>
    </message>
    <message>
      <source>The same sentences, some of them in another place.</source>
      <translation>句子相同，其中一些位置不同。</translation>
    </message>
    <message>
      <source>The shorter text stands in the longer one.</source>
      <translation>较短的正文包含在较长的正文中。</translation>
    </message>
    <message>
      <source>The texts are the same but for what is ignored above.</source>
      <translation>除上方忽略的内容外，正文相同。</translation>
    </message>
    <message>
      <source>The texts are the same.</source>
      <translation>正文相同。</translation>
    </message>
    <message>
      <source>The texts are the same. The files differ in format only.</source>
      <translation>正文相同，仅文件格式不同。</translation>
    </message>
    <message>
      <source>These texts are long; some passages are compared only roughly.</source>
      <translation>正文很长，部分段落只作粗略比较。</translation>
    </message>
    <message>
      <source>Too different for a line-by-line view: more than 40 % has changed.</source>
      <translation>差异过大，无法逐行显示：超过 40 % 已更改。</translation>
    </message>
  </context>
  <context>
    <name>Deciding</name>
    <message>
      <source>%1 could stay instead.</source>
      <translation>可以改为保留 %1。</translation>
    </message>
    <message>
      <source>Keep it</source>
      <translation>保留它</translation>
    </message>
    <message>
      <source>Keep that one</source>
      <translation>保留那一份</translation>
    </message>
    <message numerus="yes">
      <source>Remove the %Ln parts too</source>
      <translation>
        <numerusform>也移除这 %Ln 个部分</numerusform>
      </translation>
    </message>
    <message>
      <source>Remove the part</source>
      <translation>移除该部分</translation>
    </message>
    <message>
      <source>Show the form</source>
      <translation>显示表单</translation>
    </message>
  </context>
  <context>
    <name>DiffCanvas</name>
    <message>
      <source>A: %1</source>
      <translation>A：%1</translation>
    </message>
    <message>
      <source>B: %1</source>
      <translation>B：%1</translation>
    </message>
  </context>
  <context>
    <name>DocumentActs</name>
    <message>
      <source>The path was copied.</source>
      <translation>已复制路径。</translation>
    </message>
    <message>
      <source>The system has no program to open this.</source>
      <translation>系统没有可打开此文件的程序。</translation>
    </message>
  </context>
  <context>
    <name>ExportSheet</name>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Choose where…</source>
      <translation>选择位置…</translation>
    </message>
    <message>
      <source>Data (JSON)</source>
      <translation>数据 (JSON)</translation>
    </message>
    <message>
      <source>Everything</source>
      <translation>全部</translation>
    </message>
    <message>
      <source>Export a report</source>
      <translation>导出报告</translation>
    </message>
    <message>
      <source>Format</source>
      <translation>格式</translation>
    </message>
    <message>
      <source>Groups with marked documents</source>
      <translation>有已标记文档的组</translation>
    </message>
    <message>
      <source>Save the report as</source>
      <translation>报告另存为</translation>
    </message>
    <message>
      <source>Spreadsheet (XLSX)</source>
      <translation>电子表格 (XLSX)</translation>
    </message>
    <message>
      <source>Table (CSV)</source>
      <translation>表格 (CSV)</translation>
    </message>
    <message>
      <source>The documents themselves are not touched.</source>
      <translation>文档本身不会被改动。</translation>
    </message>
    <message>
      <source>Web page, to read and print</source>
      <translation>网页，可阅读和打印</translation>
    </message>
    <message>
      <source>What</source>
      <translation>内容</translation>
    </message>
    <message>
      <source>What the list shows</source>
      <translation>列表显示的内容</translation>
    </message>
    <message>
      <source>Word document</source>
      <translation>Word 文档</translation>
    </message>
  </context>
  <context>
    <name>Figures</name>
    <message numerus="yes">
      <source>%Ln bytes</source>
      <translation>
        <numerusform>%Ln 字节</numerusform>
      </translation>
    </message>
    <message>
      <source>Today %1</source>
      <translation>今天 %1</translation>
    </message>
    <message>
      <source>Yesterday %1</source>
      <translation>昨天 %1</translation>
    </message>
    <message>
      <source>about %1 h %2 min</source>
      <translation>约 %1 小时 %2 分钟</translation>
    </message>
    <message>
      <source>about %1 min</source>
      <translation>约 %1 分钟</translation>
    </message>
    <message>
      <source>about %1 min %2 s</source>
      <translation>约 %1 分 %2 秒</translation>
    </message>
    <message>
      <source>about %1 s</source>
      <translation>约 %1 秒</translation>
    </message>
  </context>
  <context>
    <name>FileList</name>
    <message numerus="yes">
      <source>%Ln files</source>
      <translation>
        <numerusform>%Ln 个文件</numerusform>
      </translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Copy list</source>
      <translation>复制列表</translation>
    </message>
  </context>
  <context>
    <name>FillingsModel</name>
    <message>
      <source>Amount</source>
      <translation>金额</translation>
    </message>
    <message>
      <source>Copies of it</source>
      <translation>它的副本</translation>
    </message>
    <message>
      <source>Date</source>
      <translation>日期</translation>
    </message>
    <message>
      <source>File</source>
      <translation>文件</translation>
    </message>
    <message>
      <source>Number</source>
      <translation>数字</translation>
    </message>
    <message>
      <source>Path</source>
      <translation>路径</translation>
    </message>
    <message>
      <source>Text</source>
      <translation>文字</translation>
    </message>
    <message>
      <source>left empty</source>
      <translation>留空</translation>
    </message>
    <message>
      <source>none</source>
      <translation>无</translation>
    </message>
  </context>
  <context>
    <name>FolderRow</name>
    <message numerus="yes">
      <source>%Ln documents</source>
      <translation>
        <numerusform>%Ln 个文档</numerusform>
      </translation>
    </message>
    <message>
      <source>Folder not found — reconnect the drive or choose it again</source>
      <translation>找不到文件夹，请重新连接驱动器或重新选择</translation>
    </message>
    <message>
      <source>Leave out</source>
      <translation>排除</translation>
    </message>
    <message>
      <source>No permission to read this folder</source>
      <translation>无权读取此文件夹</translation>
    </message>
    <message>
      <source>Protect</source>
      <translation>保护</translation>
    </message>
    <message>
      <source>Role of %1</source>
      <translation>%1 的角色</translation>
    </message>
    <message>
      <source>Scan</source>
      <translation>扫描</translation>
    </message>
    <message>
      <source>Take %1 out of the list</source>
      <translation>从列表中移出 %1</translation>
    </message>
    <message>
      <source>inside %1</source>
      <translation>在 %1 内</translation>
    </message>
    <message>
      <source>left out</source>
      <translation>已排除</translation>
    </message>
    <message>
      <source>matched against, never marked</source>
      <translation>参与匹配，绝不标记</translation>
    </message>
    <message>
      <source>one file</source>
      <translation>一个文件</translation>
    </message>
    <message>
      <source>with subfolders</source>
      <translation>含子文件夹</translation>
    </message>
  </context>
  <context>
    <name>FolderRows</name>
    <message>
      <source>Folders</source>
      <translation>文件夹</translation>
    </message>
  </context>
  <context>
    <name>FormDetail</name>
    <message>
      <source>%1 of one form in %2</source>
      <translation>同一表单的 %1，位于 %2</translation>
    </message>
    <message numerus="yes">
      <source>%Ln fillings</source>
      <translation>
        <numerusform>%Ln 份填写</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln places left empty</source>
      <translation>
        <numerusform>%Ln 处留空</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln words, shown once</source>
      <translation>
        <numerusform>%Ln 个词，只显示一次</numerusform>
      </translation>
    </message>
    <message>
      <source>A click chooses B, with Shift A</source>
      <translation>单击选择 B，按住 Shift 单击选择 A</translation>
    </message>
    <message>
      <source>Common text</source>
      <translation>共同文字</translation>
    </message>
    <message>
      <source>Compare A and B</source>
      <translation>比较 A 和 B</translation>
    </message>
    <message>
      <source>Fillings</source>
      <translation>填写</translation>
    </message>
    <message>
      <source>Next form (Alt+Down)</source>
      <translation>下一个表单 (Alt+↓)</translation>
    </message>
    <message>
      <source>Not one form</source>
      <translation>不是同一表单</translation>
    </message>
    <message>
      <source>Previous form (Alt+Up)</source>
      <translation>上一个表单 (Alt+↑)</translation>
    </message>
    <message>
      <source>Same form</source>
      <translation>同一表单</translation>
    </message>
    <message>
      <source>Show one filling</source>
      <translation>显示一份填写</translation>
    </message>
    <message>
      <source>Table as CSV</source>
      <translation>表格另存为 CSV</translation>
    </message>
    <message>
      <source>The fillings are being read…</source>
      <translation>正在读取各份填写…</translation>
    </message>
    <message>
      <source>These files could not be read again, or they are too long for a table.</source>
      <translation>这些文件无法再次读取，或太长而无法列表。</translation>
    </message>
    <message numerus="yes">
      <source>they differ in %Ln short places</source>
      <translation>
        <numerusform>有 %Ln 处短内容不同</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>FormList</name>
    <message numerus="yes">
      <source>%Ln fillings</source>
      <translation>
        <numerusform>%Ln 份填写</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln forms</source>
      <translation>
        <numerusform>%Ln 种表单</numerusform>
      </translation>
    </message>
    <message>
      <source>Folder</source>
      <translation>文件夹</translation>
    </message>
    <message>
      <source>Forms</source>
      <translation>表单</translation>
    </message>
    <message>
      <source>Most fillings</source>
      <translation>填写份数最多</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Never selected automatically</source>
      <translation>从不自动选择</translation>
    </message>
    <message>
      <source>One form filled in differently, or one letter to different people. Each filling is a document of its own.</source>
      <translation>同一表单的不同填写，或发给不同人的同一封信。每份填写都是独立的文档。</translation>
    </message>
    <message>
      <source>and never a survivor for each other.</source>
      <translation>也从不互相作为保留副本。</translation>
    </message>
  </context>
  <context>
    <name>FormsModel</name>
    <message numerus="yes">
      <source>%Ln fillings</source>
      <translation>
        <numerusform>%Ln 份填写</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>FormsView</name>
    <message>
      <source>%1 is no longer listed as one form.</source>
      <translation>“%1”不再列为同一表单。</translation>
    </message>
    <message>
      <source>Save the table as</source>
      <translation>表格另存为</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
  </context>
  <context>
    <name>HelpSheet</name>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Scanning only reads. Nothing changes until you confirm it, and History takes it back.</source>
      <translation>扫描时只读取文件。未经您确认不会更改，且可在历史记录中还原。</translation>
    </message>
    <message>
      <source>Shortcuts</source>
      <translation>快捷键</translation>
    </message>
  </context>
  <context>
    <name>HistoryPage</name>
    <message numerus="yes">
      <source>%Ln are not.</source>
      <translation>
        <numerusform>%Ln 个未恢复。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln deleted from quarantine</source>
      <translation>
        <numerusform>已从隔离区删除 %Ln 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents are back in their folders.</source>
      <translation>
        <numerusform>%Ln 个文档已回到原文件夹。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents moved to a folder</source>
      <translation>
        <numerusform>%Ln 个文档已移到文件夹</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents moved to the %1</source>
      <translation>
        <numerusform>%Ln 个文档已移到%1</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents moved to the quarantine</source>
      <translation>
        <numerusform>%Ln 个文档已移入隔离区</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents were not restored</source>
      <translation>
        <numerusform>%Ln 个文档未恢复</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents were skipped — they are where they were</source>
      <translation>
        <numerusform>已跳过 %Ln 个文档，它们仍在原处</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln exact copies replaced by hard links</source>
      <translation>
        <numerusform>%Ln 个完全相同的副本已替换为硬链接</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln in quarantine</source>
      <translation>
        <numerusform>%Ln 个在隔离区</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln lines of it cannot be read</source>
      <translation>
        <numerusform>其中 %Ln 行无法读取</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln moved</source>
      <translation>
        <numerusform>已移动 %Ln 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln restored</source>
      <translation>
        <numerusform>已恢复 %Ln 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln skipped</source>
      <translation>
        <numerusform>已跳过 %Ln 个</numerusform>
      </translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Each goes back to its folder. No file that is there now is overwritten.</source>
      <translation>每个文档都回到原文件夹。不会覆盖那里现有的文件。</translation>
    </message>
    <message numerus="yes">
      <source>Everything dupfinder changed, with a way back. Kept for %Ln days, and while it can be restored.</source>
      <translation>
        <numerusform>dupfinder 所做的全部更改，均可还原。保留 %Ln 天；仍可还原的会一直保留。</numerusform>
      </translation>
    </message>
    <message>
      <source>History</source>
      <translation>历史记录</translation>
    </message>
    <message>
      <source>Nothing was removed yet.</source>
      <translation>尚未移除任何内容。</translation>
    </message>
    <message>
      <source>Recycle Bin</source>
      <translation>回收站</translation>
    </message>
    <message>
      <source>Restore</source>
      <translation>恢复</translation>
    </message>
    <message numerus="yes">
      <source>Restore %Ln documents?</source>
      <translation>
        <numerusform>恢复 %Ln 个文档？</numerusform>
      </translation>
    </message>
    <message>
      <source>Restore next to it</source>
      <translation>恢复到其旁边</translation>
    </message>
    <message>
      <source>Restore: %1</source>
      <translation>恢复：%1</translation>
    </message>
    <message>
      <source>Restore…</source>
      <translation>恢复…</translation>
    </message>
    <message>
      <source>Show all</source>
      <translation>全部显示</translation>
    </message>
    <message>
      <source>Skipped documents</source>
      <translation>已跳过的文档</translation>
    </message>
    <message>
      <source>Trash</source>
      <translation>回收站</translation>
    </message>
    <message>
      <source>stopped</source>
      <translation>已停止</translation>
    </message>
  </context>
  <context>
    <name>InHand</name>
    <message>
      <source>for %1 now</source>
      <translation>已用 %1</translation>
    </message>
  </context>
  <context>
    <name>LearnedSheet</name>
    <message>
      <source>%1 words of %2, each in two of them at least</source>
      <translation>来自%2的 %1 个词，每个词至少出现在其中两个文档中</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Learned words</source>
      <translation>学到的词</translation>
    </message>
    <message>
      <source>Most common</source>
      <translation>最常见</translation>
    </message>
    <message>
      <source>These weights are in use. The next scan reads every document anew, once.</source>
      <translation>正在使用这些权重。下次扫描会重新读取每个文档（仅一次）。</translation>
    </message>
    <message>
      <source>These weights are not in use.</source>
      <translation>未使用这些权重。</translation>
    </message>
    <message>
      <source>Use the shipped weights again</source>
      <translation>改回自带权重</translation>
    </message>
    <message>
      <source>Weigh less than shipped</source>
      <translation>权重低于自带</translation>
    </message>
    <message>
      <source>Weigh more than shipped</source>
      <translation>权重高于自带</translation>
    </message>
    <message>
      <source>Weights are in bits: the rarer a word among your documents, the more it weighs.</source>
      <translation>权重以比特为单位：在您的文档中越少见的词，权重越大。</translation>
    </message>
    <message>
      <source>What was learned from your documents</source>
      <translation>从您的文档中学到的内容</translation>
    </message>
    <message>
      <source>Words</source>
      <translation>词</translation>
    </message>
  </context>
  <context>
    <name>LearnedWordsModel</name>
    <message>
      <source>Documents</source>
      <translation>文档数</translation>
    </message>
    <message>
      <source>Shipped weight</source>
      <translation>自带权重</translation>
    </message>
    <message>
      <source>Weight</source>
      <translation>权重</translation>
    </message>
    <message>
      <source>Word</source>
      <translation>词</translation>
    </message>
  </context>
  <context>
    <name>LearningSheet</name>
    <message>
      <source>%1 of %2 documents read</source>
      <translation>已读取 %1 / %2 个文档</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Learn</source>
      <translation>学习</translation>
    </message>
    <message>
      <source>Learn from my documents</source>
      <translation>从我的文档中学习</translation>
    </message>
    <message>
      <source>No document is touched. The next scan reads every document anew, once. You can go back.</source>
      <translation>不会改动任何文档。下次扫描会重新读取每个文档（仅一次）。可以随时还原。</translation>
    </message>
    <message>
      <source>Opening the newest scan…</source>
      <translation>正在打开最近一次扫描…</translation>
    </message>
    <message>
      <source>Progress</source>
      <translation>进度</translation>
    </message>
    <message>
      <source>The documents of the newest scan are read again, and how many of them hold each word is counted. What is common among your documents then counts less.</source>
      <translation>重新读取最近一次扫描的文档，统计每个词出现在多少个文档中。之后，您的文档中常见的词权重会降低。</translation>
    </message>
  </context>
  <context>
    <name>MainWindow</name>
    <message>
      <source>A scan is still running. Pause or cancel it first.</source>
      <translation>仍有扫描在运行。请先暂停或取消。</translation>
    </message>
    <message>
      <source>Show results</source>
      <translation>显示结果</translation>
    </message>
    <message>
      <source>The scan is complete.</source>
      <translation>扫描已完成。</translation>
    </message>
  </context>
  <context>
    <name>MemberDelegate</name>
    <message>
      <source>Suggested</source>
      <translation>建议</translation>
    </message>
    <message>
      <source>borderline</source>
      <translation>临界</translation>
    </message>
  </context>
  <context>
    <name>MembersModel</name>
    <message>
      <source>%1 (protected)</source>
      <translation>%1（受保护）</translation>
    </message>
    <message numerus="yes">
      <source>%1 and %Ln identical copies</source>
      <translation>
        <numerusform>%1 及 %Ln 个相同副本</numerusform>
      </translation>
    </message>
    <message>
      <source>%1 of it is in the kept copy</source>
      <translation>其中 %1 在保留副本中</translation>
    </message>
    <message>
      <source>%1 of the kept copy is in it</source>
      <translation>保留副本的 %1 在其中</translation>
    </message>
    <message numerus="yes">
      <source>%Ln copies</source>
      <translation>
        <numerusform>%Ln 个副本</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln fingerprint bits differ</source>
      <translation>
        <numerusform>指纹有 %Ln 位不同</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln identical copies</source>
      <translation>
        <numerusform>%Ln 个相同副本</numerusform>
      </translation>
    </message>
    <message>
      <source>Changed</source>
      <translation>修改时间</translation>
    </message>
    <message>
      <source>Decide</source>
      <translation>待定</translation>
    </message>
    <message>
      <source>Decision</source>
      <translation>决定</translation>
    </message>
    <message>
      <source>Document</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Kept copy</source>
      <translation>保留副本</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>Nearest relative</source>
      <translation>最接近的文档</translation>
    </message>
    <message>
      <source>Pages</source>
      <translation>页数</translation>
    </message>
    <message>
      <source>Relation to the kept copy</source>
      <translation>与保留副本的关系</translation>
    </message>
    <message>
      <source>Remove %1</source>
      <translation>移除 %1</translation>
    </message>
    <message>
      <source>Side</source>
      <translation>侧</translation>
    </message>
    <message>
      <source>Similar</source>
      <translation>相似度</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>大小</translation>
    </message>
    <message>
      <source>Words</source>
      <translation>字数</translation>
    </message>
    <message>
      <source>compared as %1</source>
      <translation>作为 %1 比较</translation>
    </message>
    <message>
      <source>decision: %1</source>
      <translation>决定：%1</translation>
    </message>
    <message>
      <source>row %1 of %2</source>
      <translation>第 %1 行，共 %2 行</translation>
    </message>
  </context>
  <context>
    <name>MembersTable</name>
    <message>
      <source>Compare as A</source>
      <translation>作为 A 比较</translation>
    </message>
    <message>
      <source>Compare as B</source>
      <translation>作为 B 比较</translation>
    </message>
    <message>
      <source>Copy path</source>
      <translation>复制路径</translation>
    </message>
    <message>
      <source>Documents of this group</source>
      <translation>此组的文档</translation>
    </message>
    <message>
      <source>Keep</source>
      <translation>保留</translation>
    </message>
    <message>
      <source>Keep this, remove the rest</source>
      <translation>保留此份，移除其余</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>在文件夹中显示</translation>
    </message>
    <message>
      <source>Undecided</source>
      <translation>待定</translation>
    </message>
  </context>
  <context>
    <name>Message</name>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
  </context>
  <context>
    <name>Messages</name>
    <message>
      <source>That did not work</source>
      <translation>未能完成</translation>
    </message>
  </context>
  <context>
    <name>OverviewRuler</name>
    <message>
      <source>Overview of the differences</source>
      <translation>差异概览</translation>
    </message>
  </context>
  <context>
    <name>PagesView</name>
    <message>
      <source>Page %1</source>
      <translation>第 %1 页</translation>
    </message>
    <message>
      <source>Pages of A and B</source>
      <translation>A 与 B 的页面</translation>
    </message>
    <message>
      <source>This page cannot be shown</source>
      <translation>无法显示此页</translation>
    </message>
  </context>
  <context>
    <name>PairReader</name>
    <message>
      <source>Both files are unchanged.</source>
      <translation>两个文件均未更改。</translation>
    </message>
    <message>
      <source>Nothing to compare as text</source>
      <translation>没有可比较的正文</translation>
    </message>
    <message>
      <source>These two could not be compared</source>
      <translation>无法比较这两份文档</translation>
    </message>
  </context>
  <context>
    <name>PairSheet</name>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Two fillings of one form</source>
      <translation>同一表单的两份填写</translation>
    </message>
  </context>
  <context>
    <name>PreviewLines</name>
    <message>
      <source>%1 — left to you</source>
      <translation>%1，由您决定</translation>
    </message>
    <message>
      <source>kept</source>
      <translation>保留</translation>
    </message>
    <message>
      <source>protected</source>
      <translation>受保护</translation>
    </message>
  </context>
  <context>
    <name>ProblemFiles</name>
    <message>
      <source>Give them their names back</source>
      <translation>恢复它们的名称</translation>
    </message>
    <message>
      <source>Names given back</source>
      <translation>已恢复的名称</translation>
    </message>
  </context>
  <context>
    <name>ProblemList</name>
    <message>
      <source>Show</source>
      <translation>显示</translation>
    </message>
    <message>
      <source>Show: %1</source>
      <translation>显示：%1</translation>
    </message>
  </context>
  <context>
    <name>Problems</name>
    <message>
      <source>Changed while being read</source>
      <translation>读取时被更改</translation>
    </message>
    <message>
      <source>Compared by exact content only</source>
      <translation>仅按完全相同的内容比较</translation>
    </message>
    <message>
      <source>Damaged file</source>
      <translation>文件损坏</translation>
    </message>
    <message>
      <source>Gone when its turn came</source>
      <translation>轮到时已不存在</translation>
    </message>
    <message>
      <source>Left by a removal that was cut off</source>
      <translation>被中断的移除操作留下的文件</translation>
    </message>
    <message>
      <source>Left out by your choice, or a link</source>
      <translation>按您的选择排除，或为链接</translation>
    </message>
    <message>
      <source>No permission to read</source>
      <translation>无读取权限</translation>
    </message>
    <message>
      <source>Not a document</source>
      <translation>不是文档</translation>
    </message>
    <message>
      <source>Not compared</source>
      <translation>未比较</translation>
    </message>
    <message>
      <source>Over your limit — skipped</source>
      <translation>超出限制，已跳过</translation>
    </message>
    <message>
      <source>Password-protected</source>
      <translation>受密码保护</translation>
    </message>
    <message>
      <source>Read again at the next scan</source>
      <translation>下次扫描时重新读取</translation>
    </message>
    <message>
      <source>Scanned pages without text</source>
      <translation>无文本的扫描页</translation>
    </message>
    <message>
      <source>Show them to give them their names back</source>
      <translation>显示它们即可恢复原来的名称</translation>
    </message>
    <message>
      <source>Skipped</source>
      <translation>已跳过</translation>
    </message>
    <message>
      <source>Skipped — open them to check</source>
      <translation>已跳过，请打开查看</translation>
    </message>
    <message>
      <source>Too large</source>
      <translation>文件过大</translation>
    </message>
    <message>
      <source>Took too long</source>
      <translation>用时过长</translation>
    </message>
    <message>
      <source>Very little text</source>
      <translation>文本很少</translation>
    </message>
  </context>
  <context>
    <name>Refusal</name>
    <message>
      <source>%3 of the text of %1 stays in %2, which is longer. Remove this part?</source>
      <translation>%1 的正文有 %3 保留在较长的 %2 中。要移除这一部分吗？</translation>
    </message>
    <message numerus="yes">
      <source>%Ln are fillings of one form</source>
      <translation>
        <numerusform>%Ln 个是同一表单的填写</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln are parts of longer documents</source>
      <translation>
        <numerusform>%Ln 个是较长文档的一部分</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln are too unlike what stays</source>
      <translation>
        <numerusform>%Ln 个与保留的文档差异过大</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln have text that no other file has</source>
      <translation>
        <numerusform>%Ln 个含有其他文件没有的文字</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln stay as the kept copy</source>
      <translation>
        <numerusform>%Ln 个作为保留副本留下</numerusform>
      </translation>
    </message>
    <message>
      <source>Not marked: %1 has text that no other file has. %2 holds a part of it.</source>
      <translation>未标记：%1 含有其他文件没有的文字。%2 只包含其中一部分。</translation>
    </message>
    <message>
      <source>Not marked: %1 is in a protected folder.</source>
      <translation>未标记：%1 在受保护的文件夹中。</translation>
    </message>
    <message>
      <source>Not marked: %1 is too unlike %2 and the other documents of this group.</source>
      <translation>未标记：%1 与 %2 及该组其他文档差异过大。</translation>
    </message>
    <message>
      <source>Not marked: %2 is the same form as %1, filled in differently.</source>
      <translation>未标记：%2 与 %1 是同一表单，但填写内容不同。</translation>
    </message>
    <message>
      <source>Not marked: no other file that stays has the text of %1.</source>
      <translation>未标记：留下的其他文件都没有 %1 的正文。</translation>
    </message>
    <message>
      <source>The text of %1 stays in %2, which is longer. Remove this part?</source>
      <translation>%1 的正文保留在较长的 %2 中。要移除这一部分吗？</translation>
    </message>
  </context>
  <context>
    <name>Removal</name>
    <message numerus="yes">
      <source>&amp;Make %Ln hard links</source>
      <translation>
        <numerusform>创建 %Ln 个硬链接(&amp;M)</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>&amp;Move %Ln documents</source>
      <translation>
        <numerusform>移动 %Ln 个文档(&amp;M)</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>&amp;Move %Ln to %1</source>
      <translation>
        <numerusform>将 %Ln 个移到%1(&amp;M)</numerusform>
      </translation>
    </message>
    <message>
      <source>Each name stays and shows the kept copy. You can undo this from History.</source>
      <translation>每个名称都保留，并指向保留的副本。可在历史记录中撤销。</translation>
    </message>
    <message numerus="yes">
      <source>Move %Ln documents to another folder?</source>
      <translation>
        <numerusform>将 %Ln 个文档移到其他文件夹？</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Move %Ln documents to the %1?</source>
      <translation>
        <numerusform>将 %Ln 个文档移到%1？</numerusform>
      </translation>
    </message>
    <message>
      <source>Recycle Bin</source>
      <translation>回收站</translation>
    </message>
    <message numerus="yes">
      <source>Replace %Ln documents by hard links?</source>
      <translation>
        <numerusform>将 %Ln 个文档替换为硬链接？</numerusform>
      </translation>
    </message>
    <message>
      <source>Their sub-folders are kept, and nothing is overwritten. You can restore them from History.</source>
      <translation>保留子文件夹，不覆盖任何文件。可在历史记录中恢复。</translation>
    </message>
    <message>
      <source>Trash</source>
      <translation>回收站</translation>
    </message>
    <message>
      <source>You can restore them from History, or from the %1.</source>
      <translation>可从历史记录或%1中恢复。</translation>
    </message>
    <message>
      <source>documents to be linked</source>
      <translation>要链接的文档</translation>
    </message>
    <message>
      <source>documents to the %1</source>
      <translation>移到%1的文档</translation>
    </message>
    <message>
      <source>documents to the folder</source>
      <translation>移到文件夹的文档</translation>
    </message>
    <message>
      <source>freed at once</source>
      <translation>立即释放</translation>
    </message>
    <message>
      <source>freed when it is emptied</source>
      <translation>清空后释放</translation>
    </message>
    <message>
      <source>groups, each keeps 1 or more</source>
      <translation>组，每组至少保留 1 份</translation>
    </message>
    <message>
      <source>leave their folders</source>
      <translation>离开原文件夹</translation>
    </message>
  </context>
  <context>
    <name>RemovalModel</name>
    <message>
      <source>kept: %1</source>
      <translation>保留：%1</translation>
    </message>
  </context>
  <context>
    <name>RemovalSheet</name>
    <message>
      <source>%1 of %2 documents</source>
      <translation>%1 / %2 个文档</translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents cannot be linked: they are no exact copies on the same volume. They stay.</source>
      <translation>
        <numerusform>%Ln 个文档无法链接：它们不是同一卷上的完全相同副本，将保持原样。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln of them have not been opened in the comparison yet.</source>
      <translation>
        <numerusform>其中 %Ln 个尚未在比较中打开。</numerusform>
      </translation>
    </message>
    <message>
      <source>At least one copy of every document stays</source>
      <translation>每份文档至少保留一份</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>选择…</translation>
    </message>
    <message>
      <source>Export list…</source>
      <translation>导出列表…</translation>
    </message>
    <message>
      <source>Folder that receives the documents</source>
      <translation>接收文档的文件夹</translation>
    </message>
    <message>
      <source>From the keyboard: Alt+M</source>
      <translation>键盘：Alt+M</translation>
    </message>
    <message>
      <source>From these folders</source>
      <translation>来自这些文件夹</translation>
    </message>
    <message>
      <source>Just before each file is moved, it and its kept copy are checked again on disk.</source>
      <translation>移动每个文件之前，会再次核对磁盘上的该文件和保留的副本。</translation>
    </message>
    <message>
      <source>Move to folder…</source>
      <translation>移到文件夹…</translation>
    </message>
    <message>
      <source>No folder chosen yet</source>
      <translation>尚未选择文件夹</translation>
    </message>
    <message>
      <source>Not the same as what stays: %1</source>
      <translation>%1与保留的文档不同</translation>
    </message>
    <message>
      <source>Progress of the removal</source>
      <translation>移除进度</translation>
    </message>
    <message>
      <source>Remove by</source>
      <translation>移除方式</translation>
    </message>
    <message>
      <source>Removing</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Replace by hard link</source>
      <translation>替换为硬链接</translation>
    </message>
    <message>
      <source>Review these %1</source>
      <translation>查看这 %1 个</translation>
    </message>
    <message>
      <source>Show all %1</source>
      <translation>显示全部 %1</translation>
    </message>
    <message>
      <source>Show folders</source>
      <translation>显示文件夹</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>Stop finishes the file in hand.</source>
      <translation>停止前会完成当前文件。</translation>
    </message>
    <message numerus="yes">
      <source>These are %Ln documents. Take your time.</source>
      <translation>
        <numerusform>共 %Ln 个文档，请慢慢查看。</numerusform>
      </translation>
    </message>
    <message>
      <source>What would be removed</source>
      <translation>将被移除的内容</translation>
    </message>
  </context>
  <context>
    <name>RemovedSheet</name>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Documents that were left alone, with the reason</source>
      <translation>未处理的文档及原因</translation>
    </message>
    <message>
      <source>These were left alone, unchanged:</source>
      <translation>以下文档未处理，保持不变：</translation>
    </message>
    <message>
      <source>Undo the removal</source>
      <translation>撤销移除</translation>
    </message>
  </context>
  <context>
    <name>Results</name>
    <message>
      <source>%1 %</source>
      <translation>%1 %</translation>
    </message>
    <message numerus="yes">
      <source>%1 (%Ln distant)</source>
      <translation>
        <numerusform>%1（其中 %Ln 个差异较大）</numerusform>
      </translation>
    </message>
    <message>
      <source>%1 of its text stays in %2</source>
      <translation>其正文的 %1 保留在 %2 中</translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents</source>
      <translation>
        <numerusform>%Ln 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents removed</source>
      <translation>
        <numerusform>已移除 %Ln 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents restored</source>
      <translation>
        <numerusform>已恢复 %Ln 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln groups</source>
      <translation>
        <numerusform>%Ln 组</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln identical</source>
      <translation>
        <numerusform>%Ln 个完全相同</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln more</source>
      <translation>
        <numerusform>另有 %Ln 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln not: see History</source>
      <translation>
        <numerusform>%Ln 个未完成：见历史记录</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln parts</source>
      <translation>
        <numerusform>%Ln 个部分</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln same text</source>
      <translation>
        <numerusform>%Ln 个正文相同</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln same words</source>
      <translation>
        <numerusform>%Ln 个文字相同</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln skipped</source>
      <translation>
        <numerusform>已跳过 %Ln 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln versions</source>
      <translation>
        <numerusform>%Ln 个版本</numerusform>
      </translation>
    </message>
    <message>
      <source>, </source>
      <translation>，</translation>
    </message>
    <message>
      <source>Changed since the scan</source>
      <translation>扫描后已更改</translation>
    </message>
    <message>
      <source>Decide</source>
      <translation>待定</translation>
    </message>
    <message>
      <source>Distant version</source>
      <translation>差异较大的版本</translation>
    </message>
    <message>
      <source>First of equals</source>
      <translation>同等者之首</translation>
    </message>
    <message>
      <source>Identical</source>
      <translation>完全相同</translation>
    </message>
    <message>
      <source>In a protected folder</source>
      <translation>在受保护的文件夹中</translation>
    </message>
    <message>
      <source>In archive</source>
      <translation>压缩包内</translation>
    </message>
    <message>
      <source>Keep</source>
      <translation>保留</translation>
    </message>
    <message>
      <source>Kept copy</source>
      <translation>保留副本</translation>
    </message>
    <message>
      <source>More text</source>
      <translation>正文更多</translation>
    </message>
    <message>
      <source>Most like the others</source>
      <translation>与其他最相似</translation>
    </message>
    <message>
      <source>Newest file</source>
      <translation>最新的文件</translation>
    </message>
    <message>
      <source>Newest inside</source>
      <translation>内部日期最新</translation>
    </message>
    <message>
      <source>No longer here</source>
      <translation>已不在此处</translation>
    </message>
    <message>
      <source>Not named a copy</source>
      <translation>名称不带“副本”</translation>
    </message>
    <message>
      <source>Part</source>
      <translation>部分</translation>
    </message>
    <message>
      <source>Protected</source>
      <translation>受保护</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Richer format</source>
      <translation>格式更丰富</translation>
    </message>
    <message>
      <source>Same form</source>
      <translation>同一表单</translation>
    </message>
    <message>
      <source>Same text</source>
      <translation>正文相同</translation>
    </message>
    <message>
      <source>Same words</source>
      <translation>文字相同</translation>
    </message>
    <message>
      <source>Shortest path</source>
      <translation>路径最短</translation>
    </message>
    <message>
      <source>The kept copy</source>
      <translation>保留的副本</translation>
    </message>
    <message>
      <source>Version</source>
      <translation>版本</translation>
    </message>
    <message>
      <source>Whole</source>
      <translation>整体</translation>
    </message>
    <message>
      <source>attachments</source>
      <translation>附件</translation>
    </message>
    <message>
      <source>comments</source>
      <translation>批注</translation>
    </message>
    <message numerus="yes">
      <source>edited in %Ln places</source>
      <translation>
        <numerusform>有 %Ln 处改动</numerusform>
      </translation>
    </message>
    <message>
      <source>form fields</source>
      <translation>表单域</translation>
    </message>
    <message>
      <source>formulas</source>
      <translation>公式</translation>
    </message>
    <message>
      <source>headers and footers</source>
      <translation>页眉页脚</translation>
    </message>
    <message>
      <source>it has more text than the kept copy</source>
      <translation>其文字多于保留副本</translation>
    </message>
    <message>
      <source>its text stays in %1</source>
      <translation>其正文保留在 %1 中</translation>
    </message>
    <message>
      <source>links</source>
      <translation>链接</translation>
    </message>
    <message>
      <source>newer</source>
      <translation>较新</translation>
    </message>
    <message>
      <source>not known: %1</source>
      <translation>未知：%1</translation>
    </message>
    <message>
      <source>nothing but the format differs</source>
      <translation>仅格式不同</translation>
    </message>
    <message>
      <source>older</source>
      <translation>较旧</translation>
    </message>
    <message>
      <source>only numbers and dates differ</source>
      <translation>仅数字和日期不同</translation>
    </message>
    <message>
      <source>only short places differ</source>
      <translation>仅个别短处不同</translation>
    </message>
    <message>
      <source>only spaces and signs differ</source>
      <translation>仅空格和标点不同</translation>
    </message>
    <message>
      <source>other %1</source>
      <translation>%1不同</translation>
    </message>
    <message>
      <source>pictures</source>
      <translation>图片</translation>
    </message>
    <message>
      <source>speaker notes</source>
      <translation>演讲者备注</translation>
    </message>
    <message>
      <source>stopped</source>
      <translation>已停止</translation>
    </message>
    <message>
      <source>text was added</source>
      <translation>有文字增添</translation>
    </message>
    <message>
      <source>too unlike the kept copy to replace it</source>
      <translation>与保留副本差异过大，不能互相替代</translation>
    </message>
    <message>
      <source>tracked changes</source>
      <translation>修订</translation>
    </message>
  </context>
  <context>
    <name>ResultsPage</name>
    <message>
      <source>%1 · scanned %2</source>
      <translation>%1 · 扫描于 %2</translation>
    </message>
    <message>
      <source>Results</source>
      <translation>结果</translation>
    </message>
  </context>
  <context>
    <name>ResultsSheets</name>
    <message numerus="yes">
      <source>%Ln documents are marked.</source>
      <translation>
        <numerusform>已标记 %Ln 个文档。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents marked. Nothing is removed yet.</source>
      <translation>
        <numerusform>已标记 %Ln 个文档。尚未移除任何内容。</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>All %Ln groups reviewed.</source>
      <translation>
        <numerusform>全部 %Ln 组均已查看。</numerusform>
      </translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Review removal…</source>
      <translation>检查并移除…</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>Written: %1</source>
      <translation>已写入：%1</translation>
    </message>
  </context>
  <context>
    <name>ResultsTools</name>
    <message>
      <source>Also folder:  type:pdf  lang:en  size&gt;1MB  date&lt;2024-01-31</source>
      <translation>还可用 folder:  type:pdf  lang:en  size&gt;1MB  date&lt;2024-01-31</translation>
    </message>
    <message>
      <source>Export</source>
      <translation>导出</translation>
    </message>
    <message>
      <source>Groups</source>
      <translation>组</translation>
    </message>
    <message>
      <source>Same form</source>
      <translation>同一表单</translation>
    </message>
    <message>
      <source>Search names or folders</source>
      <translation>搜索名称或文件夹</translation>
    </message>
    <message>
      <source>Select automatically…</source>
      <translation>自动选择…</translation>
    </message>
    <message>
      <source>View</source>
      <translation>视图</translation>
    </message>
  </context>
  <context>
    <name>Rules</name>
    <message>
      <source>DOCX before PDF</source>
      <translation>DOCX 优先于 PDF</translation>
    </message>
    <message>
      <source>Prefer a plain name</source>
      <translation>优先普通名称</translation>
    </message>
    <message>
      <source>Prefer copies in</source>
      <translation>优先此处的副本</translation>
    </message>
    <message>
      <source>Prefer the largest file</source>
      <translation>优先最大的文件</translation>
    </message>
    <message>
      <source>Prefer the longest path</source>
      <translation>优先路径最长的</translation>
    </message>
    <message>
      <source>Prefer the most text</source>
      <translation>优先正文最多的</translation>
    </message>
    <message>
      <source>Prefer the newest</source>
      <translation>优先最新的</translation>
    </message>
    <message>
      <source>Prefer the oldest</source>
      <translation>优先最旧的</translation>
    </message>
    <message>
      <source>Prefer the richer format</source>
      <translation>优先格式更丰富的</translation>
    </message>
    <message>
      <source>Prefer the shortest path</source>
      <translation>优先路径最短的</translation>
    </message>
    <message>
      <source>Prefer the smallest file</source>
      <translation>优先最小的文件</translation>
    </message>
    <message>
      <source>by date changed</source>
      <translation>按修改日期</translation>
    </message>
    <message>
      <source>by words</source>
      <translation>按字数</translation>
    </message>
    <message>
      <source>in %1</source>
      <translation>在 %1</translation>
    </message>
    <message>
      <source>largest</source>
      <translation>最大</translation>
    </message>
    <message>
      <source>longest path</source>
      <translation>路径最长</translation>
    </message>
    <message>
      <source>most text</source>
      <translation>正文最多</translation>
    </message>
    <message>
      <source>newest</source>
      <translation>最新</translation>
    </message>
    <message>
      <source>not named a copy</source>
      <translation>名称不带“副本”</translation>
    </message>
    <message>
      <source>not “Copy of” or “(1)”</source>
      <translation>不含“副本”或“(1)”</translation>
    </message>
    <message>
      <source>oldest</source>
      <translation>最旧</translation>
    </message>
    <message>
      <source>richer format</source>
      <translation>格式更丰富</translation>
    </message>
    <message>
      <source>shortest path</source>
      <translation>路径最短</translation>
    </message>
    <message>
      <source>smallest</source>
      <translation>最小</translation>
    </message>
  </context>
  <context>
    <name>ScanningPage</name>
    <message>
      <source>%1 /s</source>
      <translation>%1 个/秒</translation>
    </message>
    <message>
      <source>%1 left</source>
      <translation>剩余 %1</translation>
    </message>
    <message>
      <source>%1 of %2</source>
      <translation>%1 / %2</translation>
    </message>
    <message numerus="yes">
      <source>%Ln files could not be read</source>
      <translation>
        <numerusform>%Ln 个文件无法读取</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln files in hand</source>
      <translation>
        <numerusform>正在处理 %Ln 个文件</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln files so far</source>
      <translation>
        <numerusform>已找到 %Ln 个文件</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln found</source>
      <translation>
        <numerusform>找到 %Ln 个</numerusform>
      </translation>
    </message>
    <message>
      <source>Being read now</source>
      <translation>正在读取</translation>
    </message>
    <message>
      <source>Cancel…</source>
      <translation>取消…</translation>
    </message>
    <message>
      <source>Check differences</source>
      <translation>核对差异</translation>
    </message>
    <message>
      <source>Checking differences</source>
      <translation>正在核对差异</translation>
    </message>
    <message>
      <source>Could not be read</source>
      <translation>无法读取</translation>
    </message>
    <message>
      <source>Discard</source>
      <translation>丢弃</translation>
    </message>
    <message>
      <source>Documents per second</source>
      <translation>每秒文档数</translation>
    </message>
    <message>
      <source>Every file could be read so far</source>
      <translation>到目前为止所有文件均可读取</translation>
    </message>
    <message>
      <source>Files are only read. You can close the window: the scan is kept and goes on where it stopped.</source>
      <translation>只读取文件。可以关闭窗口：扫描会保留，并从停下的地方继续。</translation>
    </message>
    <message>
      <source>Find files</source>
      <translation>查找文件</translation>
    </message>
    <message>
      <source>Finding files</source>
      <translation>正在查找文件</translation>
    </message>
    <message>
      <source>Go on</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>Group</source>
      <translation>分组</translation>
    </message>
    <message>
      <source>Grouping</source>
      <translation>正在分组</translation>
    </message>
    <message>
      <source>Keep what was read</source>
      <translation>保留已读内容</translation>
    </message>
    <message>
      <source>Match</source>
      <translation>匹配</translation>
    </message>
    <message>
      <source>Matching</source>
      <translation>匹配</translation>
    </message>
    <message>
      <source>Opening the results…</source>
      <translation>正在打开结果…</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>暂停</translation>
    </message>
    <message>
      <source>Paused. Everything read so far is kept.</source>
      <translation>已暂停。已读取的内容均已保存。</translation>
    </message>
    <message>
      <source>Pausing…</source>
      <translation>正在暂停…</translation>
    </message>
    <message>
      <source>Progress of this stage</source>
      <translation>此阶段的进度</translation>
    </message>
    <message>
      <source>Read and fingerprint</source>
      <translation>读取并计算指纹</translation>
    </message>
    <message>
      <source>Read so far</source>
      <translation>已读取</translation>
    </message>
    <message>
      <source>Reading documents</source>
      <translation>正在读取文档</translation>
    </message>
    <message>
      <source>Resume</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>Stop this scan?</source>
      <translation>停止此扫描？</translation>
    </message>
    <message>
      <source>The scan did not finish</source>
      <translation>扫描未完成</translation>
    </message>
    <message>
      <source>Unchanged</source>
      <translation>未更改</translation>
    </message>
    <message>
      <source>What was read need not be read again when you scan these folders later.</source>
      <translation>已读取的内容在以后扫描这些文件夹时无需重读。</translation>
    </message>
    <message>
      <source>What was read so far is kept.</source>
      <translation>已读取的内容均已保存。</translation>
    </message>
    <message>
      <source>estimating…</source>
      <translation>正在估算…</translation>
    </message>
    <message numerus="yes">
      <source>in %Ln documents</source>
      <translation>
        <numerusform>共 %Ln 个文档</numerusform>
      </translation>
    </message>
    <message>
      <source>last step</source>
      <translation>最后一步</translation>
    </message>
    <message>
      <source>not read again</source>
      <translation>不再重读</translation>
    </message>
    <message>
      <source>the scan goes on without them</source>
      <translation>扫描会跳过它们继续</translation>
    </message>
  </context>
  <context>
    <name>Settings</name>
    <message>
      <source>0: one for each processor core, eight at most.</source>
      <translation>0：每个处理器核心一个，最多八个。</translation>
    </message>
    <message>
      <source>A file that needs more is not read.</source>
      <translation>需要更多内存的文件不会读取。</translation>
    </message>
    <message>
      <source>Also compare the documents in archives (ZIP, tar). They are never marked, and archives are never changed.</source>
      <translation>同时比较压缩包（ZIP、tar）内的文档。它们绝不会被标记，压缩包也绝不会被改动。</translation>
    </message>
    <message>
      <source>Also read files whose name begins with a dot.</source>
      <translation>也读取名称以点开头的文件。</translation>
    </message>
    <message>
      <source>Compare texts in Traditional Chinese characters as if they were written in Simplified ones.</source>
      <translation>比较时把繁体中文当作简体中文。</translation>
    </message>
    <message>
      <source>Documents in archives</source>
      <translation>压缩包内的文档</translation>
    </message>
    <message>
      <source>Heaviest words only</source>
      <translation>只计最重要的词</translation>
    </message>
    <message>
      <source>Hidden files</source>
      <translation>隐藏文件</translation>
    </message>
    <message>
      <source>How long removals stay in the history. Those that can still be undone stay longer.</source>
      <translation>移除记录在历史中保留多久。仍可撤销的会保留更久。</translation>
    </message>
    <message>
      <source>How many of the 64 fingerprint bits may differ.</source>
      <translation>64 位指纹中允许不同的位数。</translation>
    </message>
    <message>
      <source>How many words of a document make its fingerprint, the heaviest first. 0: all.</source>
      <translation>文档指纹由多少个词构成，从权重最大的开始。0：全部。</translation>
    </message>
    <message>
      <source>How much of a document is in a longer one at least, to call it a part.</source>
      <translation>一份文档至少有多少内容在较长文档中，才称为其一部分。</translation>
    </message>
    <message>
      <source>How rare each word is: by the table that is shipped, or as learned from your own documents.</source>
      <translation>每个词的稀有程度：采用自带的词表，或从您自己的文档中学习。</translation>
    </message>
    <message>
      <source>How similar two documents are at least, to count as versions of one.</source>
      <translation>两份文档至少有多相似，才算同一文档的版本。</translation>
    </message>
    <message>
      <source>Keep history</source>
      <translation>保留历史记录</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>Language of the window.</source>
      <translation>窗口的语言。</translation>
    </message>
    <message>
      <source>Languages of pages without a text layer, as tesseract names them: eng+deu. Empty: such pages are not read.</source>
      <translation>没有文本层的页面所用语言，按 tesseract 的名称填写：eng+chi_sim。留空：不识别此类页面。</translation>
    </message>
    <message>
      <source>Larger files are not read.</source>
      <translation>更大的文件不会读取。</translation>
    </message>
    <message>
      <source>Larger files get more.</source>
      <translation>较大的文件时限更长。</translation>
    </message>
    <message>
      <source>Largest file</source>
      <translation>最大文件</translation>
    </message>
    <message>
      <source>Least containment</source>
      <translation>最低包含度</translation>
    </message>
    <message>
      <source>Least similarity</source>
      <translation>最低相似度</translation>
    </message>
    <message>
      <source>Light, dark, or as the system.</source>
      <translation>浅色、深色或跟随系统。</translation>
    </message>
    <message>
      <source>Memory limit per reading process</source>
      <translation>每个读取进程的内存上限</translation>
    </message>
    <message>
      <source>Most candidate pairs</source>
      <translation>候选对上限</translation>
    </message>
    <message>
      <source>Reading processes</source>
      <translation>读取进程</translation>
    </message>
    <message>
      <source>Recognise scanned pages</source>
      <translation>识别扫描页</translation>
    </message>
    <message>
      <source>Similarity radius</source>
      <translation>相似半径</translation>
    </message>
    <message>
      <source>The widest radius is the largest that is expected to give no more pairs than this.</source>
      <translation>最大半径是预计候选对不超过此数的最大值。</translation>
    </message>
    <message>
      <source>The widest radius is the largest whose matching is expected to fit in this time.</source>
      <translation>最大半径是预计能在此时间内完成匹配的最大值。</translation>
    </message>
    <message>
      <source>Theme</source>
      <translation>主题</translation>
    </message>
    <message>
      <source>Time for matching</source>
      <translation>匹配时间</translation>
    </message>
    <message>
      <source>Time limit per file</source>
      <translation>每个文件的时限</translation>
    </message>
    <message>
      <source>Traditional as Simplified Chinese</source>
      <translation>繁体视同简体</translation>
    </message>
    <message>
      <source>Weights of words</source>
      <translation>词语权重</translation>
    </message>
  </context>
  <context>
    <name>SettingsPage</name>
    <message>
      <source> MB</source>
      <translation> MB</translation>
    </message>
    <message>
      <source> bits</source>
      <translation> 位</translation>
    </message>
    <message>
      <source> days</source>
      <translation> 天</translation>
    </message>
    <message>
      <source> s</source>
      <translation> 秒</translation>
    </message>
    <message>
      <source>At the next scan, pages without a text layer are recognised. That takes seconds a page.</source>
      <translation>下次扫描会识别没有文本层的页面，每页需要数秒。</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Dark</source>
      <translation>深色</translation>
    </message>
    <message>
      <source>Delete all scan data?</source>
      <translation>删除所有扫描数据？</translation>
    </message>
    <message>
      <source>Delete scan data</source>
      <translation>删除扫描数据</translation>
    </message>
    <message>
      <source>Delete scan data…</source>
      <translation>删除扫描数据…</translation>
    </message>
    <message>
      <source>General</source>
      <translation>常规</translation>
    </message>
    <message>
      <source>Light</source>
      <translation>浅色</translation>
    </message>
    <message>
      <source>Matching</source>
      <translation>匹配</translation>
    </message>
    <message>
      <source>Needs the program tesseract, which is not installed here.</source>
      <translation>需要 tesseract 程序，此计算机上没有安装。</translation>
    </message>
    <message>
      <source>Put all settings back?</source>
      <translation>恢复所有设置？</translation>
    </message>
    <message>
      <source>Reading</source>
      <translation>读取</translation>
    </message>
    <message>
      <source>Removing</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Reset all</source>
      <translation>全部重置</translation>
    </message>
    <message>
      <source>Scan data</source>
      <translation>扫描数据</translation>
    </message>
    <message>
      <source>Scans, decisions and history stay as they are.</source>
      <translation>扫描、决定和历史记录保持不变。</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>设置</translation>
    </message>
    <message>
      <source>Storage</source>
      <translation>存储</translation>
    </message>
    <message>
      <source>System</source>
      <translation>系统</translation>
    </message>
    <message>
      <source>The language changes at the next start.</source>
      <translation>语言将在下次启动时更改。</translation>
    </message>
    <message>
      <source>The list of scans becomes empty. Your documents, your decisions and the history stay.</source>
      <translation>扫描列表将清空。您的文档、决定和历史记录均保留。</translation>
    </message>
    <message>
      <source>The next scan reads every document anew, once.</source>
      <translation>下次扫描会重新读取每个文档（仅一次）。</translation>
    </message>
    <message>
      <source>The scan data is deleted.</source>
      <translation>扫描数据已删除。</translation>
    </message>
    <message>
      <source>What was read of your documents, so that it need not be read again. No document is touched.</source>
      <translation>从文档中读取的内容，以免重复读取。不会改动任何文档。</translation>
    </message>
    <message>
      <source>off</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>tesseract has no data here for %1. Such pages are not recognised.</source>
      <translation>tesseract 在此没有 %1 的数据，无法识别此类页面。</translation>
    </message>
  </context>
  <context>
    <name>SetupPage</name>
    <message>
      <source>%1 is in the list already.</source>
      <translation>%1 已在列表中。</translation>
    </message>
    <message numerus="yes">
      <source>%Ln are unchanged since they were read and are not read again</source>
      <translation>
        <numerusform>其中 %Ln 个自上次读取后未更改，不再重读</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln documents</source>
      <translation>
        <numerusform>%Ln 个文档</numerusform>
      </translation>
    </message>
    <message>
      <source>Add a folder, or drop one on the window.</source>
      <translation>添加文件夹，或将其拖到窗口中。</translation>
    </message>
    <message>
      <source>Add folder…</source>
      <translation>添加文件夹…</translation>
    </message>
    <message>
      <source>Automatic</source>
      <translation>自动</translation>
    </message>
    <message>
      <source>Choose a folder</source>
      <translation>选择文件夹</translation>
    </message>
    <message>
      <source>Choose at least one format.</source>
      <translation>请至少选择一种格式。</translation>
    </message>
    <message>
      <source>Counting…</source>
      <translation>正在计数…</translation>
    </message>
    <message>
      <source>Drop more folders here</source>
      <translation>将更多文件夹拖到这里</translation>
    </message>
    <message>
      <source>E-book</source>
      <translation>电子书</translation>
    </message>
    <message>
      <source>E-mail</source>
      <translation>电子邮件</translation>
    </message>
    <message>
      <source>File size</source>
      <translation>文件大小</translation>
    </message>
    <message>
      <source>Filters</source>
      <translation>筛选</translation>
    </message>
    <message>
      <source>Folders</source>
      <translation>文件夹</translation>
    </message>
    <message>
      <source>Formats</source>
      <translation>格式</translation>
    </message>
    <message>
      <source>HTML</source>
      <translation>HTML</translation>
    </message>
    <message>
      <source>Hidden files</source>
      <translation>隐藏文件</translation>
    </message>
    <message>
      <source>Including Chinese.</source>
      <translation>包括中文。</translation>
    </message>
    <message>
      <source>Inside archives</source>
      <translation>压缩包内</translation>
    </message>
    <message>
      <source>Languages</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>Largest file</source>
      <translation>最大文件</translation>
    </message>
    <message>
      <source>Names that begin with a dot.</source>
      <translation>名称以点开头的文件。</translation>
    </message>
    <message>
      <source>Names to leave out</source>
      <translation>排除的名称</translation>
    </message>
    <message>
      <source>New scan</source>
      <translation>新建扫描</translation>
    </message>
    <message>
      <source>No folder to scan yet</source>
      <translation>尚无要扫描的文件夹</translation>
    </message>
    <message>
      <source>No format chosen</source>
      <translation>未选择格式</translation>
    </message>
    <message>
      <source>Not counted</source>
      <translation>未计数</translation>
    </message>
    <message>
      <source>Nothing is changed by a scan. You decide about every document afterwards.</source>
      <translation>扫描不会更改任何内容。之后由您决定每份文档。</translation>
    </message>
    <message>
      <source>Nothing leaves this computer.</source>
      <translation>数据不离开这台电脑。</translation>
    </message>
    <message>
      <source>OpenDocument</source>
      <translation>OpenDocument</translation>
    </message>
    <message>
      <source>Otherwise unchanged files are not read twice.</source>
      <translation>否则未更改的文件不会重复读取。</translation>
    </message>
    <message>
      <source>PDF</source>
      <translation>PDF</translation>
    </message>
    <message>
      <source>Patterns, parted by semicolons.</source>
      <translation>通配符，以分号分隔。</translation>
    </message>
    <message>
      <source>Program texts</source>
      <translation>程序文本</translation>
    </message>
    <message>
      <source>Protected folders are compared with the others, but nothing in them can ever be marked.</source>
      <translation>受保护的文件夹会与其他文件夹比较，但其中的内容永远不会被标记。</translation>
    </message>
    <message>
      <source>RTF</source>
      <translation>RTF</translation>
    </message>
    <message>
      <source>Read everything again</source>
      <translation>全部重新读取</translation>
    </message>
    <message>
      <source>Reading</source>
      <translation>读取</translation>
    </message>
    <message>
      <source>Slides and sheets</source>
      <translation>幻灯片和表格</translation>
    </message>
    <message>
      <source>Smallest file</source>
      <translation>最小文件</translation>
    </message>
    <message>
      <source>Start scan</source>
      <translation>开始扫描</translation>
    </message>
    <message>
      <source>Text</source>
      <translation>文本</translation>
    </message>
    <message>
      <source>What should be compared?</source>
      <translation>要比较什么？</translation>
    </message>
    <message>
      <source>Word</source>
      <translation>Word</translation>
    </message>
    <message>
      <source>ZIP and tar. Shown, never marked.</source>
      <translation>ZIP 和 tar。仅显示，绝不标记。</translation>
    </message>
    <message>
      <source>any size</source>
      <translation>任意大小</translation>
    </message>
    <message>
      <source>still counting</source>
      <translation>仍在计数</translation>
    </message>
  </context>
  <context>
    <name>Sheet</name>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
  </context>
  <context>
    <name>SimilarityCard</name>
    <message>
      <source>%1 to %2 similar: %3 pairs</source>
      <translation>相似度 %1 至 %2：%3 对</translation>
    </message>
    <message>
      <source>%1 · %2</source>
      <translation>%1 · %2</translation>
    </message>
    <message>
      <source>%1 · recommended</source>
      <translation>%1 · 推荐</translation>
    </message>
    <message>
      <source>%1: %3 pairs of equal words</source>
      <translation>%1：%3 对文字相同</translation>
    </message>
    <message numerus="yes">
      <source>%Ln verified pairs</source>
      <translation>
        <numerusform>%Ln 对已核实</numerusform>
      </translation>
    </message>
    <message>
      <source>At %1: %2 documents</source>
      <translation>%1 时：文档 %2</translation>
    </message>
    <message>
      <source>At %1: %2 groups</source>
      <translation>在 %1：%2 组</translation>
    </message>
    <message>
      <source>At %1: +%2 documents</source>
      <translation>%1 时：文档 +%2</translation>
    </message>
    <message>
      <source>At %1: +%2 groups</source>
      <translation>%1 时：组 +%2</translation>
    </message>
    <message>
      <source>At %1: as many groups</source>
      <translation>在 %1：组数不变</translation>
    </message>
    <message>
      <source>Counting…</source>
      <translation>正在计数…</translation>
    </message>
    <message>
      <source>Fingerprints %1 bits apart: %2 verified pairs</source>
      <translation>指纹相差 %1 位：%2 对已核实</translation>
    </message>
    <message>
      <source>Least similarity</source>
      <translation>最低相似度</translation>
    </message>
    <message>
      <source>Looser is not possible.</source>
      <translation>已是最宽松。</translation>
    </message>
    <message>
      <source>Pairs that share passages count at any distance of their fingerprints.</source>
      <translation>含有共同段落的文档对，无论指纹相差多少都算在内。</translation>
    </message>
    <message>
      <source>Radius k</source>
      <translation>半径 k</translation>
    </message>
    <message>
      <source>Shared passages too</source>
      <translation>也按共同段落</translation>
    </message>
    <message>
      <source>Similarity</source>
      <translation>相似度</translation>
    </message>
    <message>
      <source>What the slider moves</source>
      <translation>滑块调节的内容</translation>
    </message>
    <message>
      <source>Which radius fits?</source>
      <translation>哪个半径合适？</translation>
    </message>
    <message>
      <source>k = %1</source>
      <translation>k = %1</translation>
    </message>
  </context>
  <context>
    <name>SourceBars</name>
    <message numerus="yes">
      <source>%Ln pairs further apart than %1 are not shown.</source>
      <translation>
        <numerusform>相差超过 %1 位的 %Ln 对未显示。</numerusform>
      </translation>
    </message>
    <message>
      <source>both</source>
      <translation>两者皆是</translation>
    </message>
    <message>
      <source>by fingerprints</source>
      <translation>按指纹</translation>
    </message>
    <message>
      <source>by passages</source>
      <translation>按段落</translation>
    </message>
    <message>
      <source>further apart than %1</source>
      <translation>相差超过 %1 位</translation>
    </message>
    <message numerus="yes">
      <source>within %Ln bits</source>
      <translation>
        <numerusform>%Ln 位以内</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Toast</name>
    <message>
      <source>Close this message</source>
      <translation>关闭此消息</translation>
    </message>
  </context>
  <context>
    <name>TopBar</name>
    <message>
      <source>Back</source>
      <translation>返回</translation>
    </message>
    <message>
      <source>Back to the start page</source>
      <translation>返回首页</translation>
    </message>
    <message>
      <source>Help and shortcuts</source>
      <translation>帮助与快捷键</translation>
    </message>
    <message>
      <source>History</source>
      <translation>历史记录</translation>
    </message>
    <message>
      <source>Light or dark</source>
      <translation>浅色或深色</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>设置</translation>
    </message>
  </context>
  <context>
    <name>Unexpected</name>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Copy details</source>
      <translation>复制详细信息</translation>
    </message>
    <message>
      <source>Details</source>
      <translation>详细信息</translation>
    </message>
    <message>
      <source>Log</source>
      <translation>日志</translation>
    </message>
    <message>
      <source>Something went wrong. Your files are unchanged.</source>
      <translation>出现问题。您的文件未更改。</translation>
    </message>
    <message>
      <source>You can go on. If it happens again, copy the details and report them.</source>
      <translation>您可以继续使用。如果再次发生，请复制详细信息并报告。</translation>
    </message>
  </context>
  <context>
    <name>WeightsRow</name>
    <message>
      <source>How rare each word is. What many documents have in common counts less.</source>
      <translation>每个词有多少见。许多文档共有的词权重较低。</translation>
    </message>
    <message>
      <source>In use: learned from %1 (%2 words)</source>
      <translation>当前：从%1中学到的权重（%2 个词）</translation>
    </message>
    <message>
      <source>In use: the weights that are shipped</source>
      <translation>当前：自带权重</translation>
    </message>
    <message>
      <source>Learn from my documents…</source>
      <translation>从我的文档中学习…</translation>
    </message>
    <message>
      <source>Show words…</source>
      <translation>查看词…</translation>
    </message>
    <message>
      <source>The next scan reads every document anew, once.</source>
      <translation>下次扫描会重新读取每个文档（仅一次）。</translation>
    </message>
    <message>
      <source>Use learned weights</source>
      <translation>使用学到的权重</translation>
    </message>
    <message>
      <source>Use shipped weights</source>
      <translation>使用自带权重</translation>
    </message>
    <message>
      <source>Weights of words</source>
      <translation>词的权重</translation>
    </message>
  </context>
  <context>
    <name>WelcomePage</name>
    <message numerus="yes">
      <source>%Ln documents</source>
      <translation>
        <numerusform>%Ln 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln groups</source>
      <translation>
        <numerusform>%Ln 组</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln marked</source>
      <translation>
        <numerusform>已标记 %Ln 个</numerusform>
      </translation>
    </message>
    <message>
      <source>Choose a folder</source>
      <translation>选择文件夹</translation>
    </message>
    <message>
      <source>Choose folders…</source>
      <translation>选择文件夹…</translation>
    </message>
    <message>
      <source>Done</source>
      <translation>完成</translation>
    </message>
    <message>
      <source>Drop folders here to find duplicate documents</source>
      <translation>将文件夹拖到这里，查找重复文档</translation>
    </message>
    <message>
      <source>Folder not found — reconnect the drive or choose it again</source>
      <translation>找不到文件夹，请重新连接驱动器或重新选择</translation>
    </message>
    <message>
      <source>No file is changed until you confirm it.</source>
      <translation>未经您确认，不会改动任何文件。</translation>
    </message>
    <message>
      <source>Nothing is uploaded. Works without a network.</source>
      <translation>不上传任何内容，无需网络。</translation>
    </message>
    <message>
      <source>One copy always stays</source>
      <translation>始终保留一份</translation>
    </message>
    <message>
      <source>Only reads while scanning</source>
      <translation>扫描时只读取文件</translation>
    </message>
    <message>
      <source>PDF, Word, HTML, OpenDocument, RTF and text — even when the format, name or wording differs</source>
      <translation>PDF、Word、HTML、OpenDocument、RTF 和文本，即使格式、名称或措辞不同</translation>
    </message>
    <message>
      <source>Recent scans</source>
      <translation>最近的扫描</translation>
    </message>
    <message>
      <source>Show all</source>
      <translation>全部显示</translation>
    </message>
    <message>
      <source>Stays on this computer</source>
      <translation>留在这台电脑上</translation>
    </message>
    <message>
      <source>The last copy of a document cannot be removed.</source>
      <translation>文档的最后一份无法移除。</translation>
    </message>
    <message>
      <source>Unfinished</source>
      <translation>未完成</translation>
    </message>
  </context>
  <context>
    <name>Wording</name>
    <message>
      <source> ({found} % instead of {asked} %)</source>
      <translation>（{found} %，要求 {asked} %）</translation>
    </message>
    <message>
      <source> Another file had taken its name meanwhile; it is now {where}.</source>
      <translation>期间另一个文件占用了它的名称；它现在位于 {where}。</translation>
    </message>
    <message>
      <source>A file named {victim} is there now. The removed one was not restored, and nothing was overwritten. Restore it next to that file, or move that file away first.</source>
      <translation>那里现在有一个名为 {victim} 的文件。被移除的文件没有恢复，也没有覆盖任何文件。请恢复到该文件旁边，或先移走该文件。</translation>
    </message>
    <message>
      <source>A file of the plan is no longer the one that was read. It was left alone; scan again.</source>
      <translation>计划中的一个文件已不是当时读取的文件，未作处理；请重新扫描。</translation>
    </message>
    <message>
      <source>A part of the library was damaged and dropped: {names}. Only that is read anew.</source>
      <translation>数据库的一部分已损坏并被舍弃：{names}。只会重新读取该部分。</translation>
    </message>
    <message>
      <source>A part of the library {path} is damaged: {part}. Your files are unchanged; scan again, and only that part is read anew.</source>
      <translation>数据库 {path} 的一部分已损坏：{part}。您的文件未改变；请重新扫描，只会重新读取该部分。</translation>
    </message>
    <message>
      <source>A removal that was cut off left it under this name; `dupfinder recover` with its folder gives it its own name back, and so does this list in the window</source>
      <translation>一次中断的移除操作把它留在了这个名称下；对其所在文件夹运行 `dupfinder recover` 即可恢复它原来的名称，在窗口的此列表中也可以恢复</translation>
    </message>
    <message>
      <source>A symbolic link stands in the way to {victim}. Nothing was done, for it may lead elsewhere. Scan the folder that it points to.</source>
      <translation>通往 {victim} 的路径上有符号链接，可能指向别处，因此未作处理。请扫描它所指向的文件夹。</translation>
    </message>
    <message>
      <source>Another dupfinder (process {holder}) is removing or restoring files. Nothing was done here; wait until it has ended.</source>
      <translation>另一个 dupfinder（进程 {holder}）正在移除或恢复文件。此处未执行任何操作；请等待其结束。</translation>
    </message>
    <message>
      <source>It changed while it was being read; scan again to compare it</source>
      <translation>读取期间文件发生了更改；请重新扫描以进行比较</translation>
    </message>
    <message>
      <source>It could not be opened</source>
      <translation>无法打开</translation>
    </message>
    <message>
      <source>It is damaged and could not be read</source>
      <translation>文件已损坏，无法读取</translation>
    </message>
    <message>
      <source>It is not a kind of document that can be read</source>
      <translation>不是可读取的文档类型</translation>
    </message>
    <message>
      <source>It is too large, so it was not read</source>
      <translation>文件过大，未读取</translation>
    </message>
    <message>
      <source>It needs a password, so it was not read</source>
      <translation>需要密码，未读取</translation>
    </message>
    <message>
      <source>It was gone when its turn came</source>
      <translation>轮到它时已不存在</translation>
    </message>
    <message>
      <source>It was left out</source>
      <translation>已排除</translation>
    </message>
    <message>
      <source>Its text is too short to compare, so it is compared by exact content only</source>
      <translation>正文太短，仅按完全相同的内容比较</translation>
    </message>
    <message>
      <source>More than {most} pairs lie within {radius} bits. Nothing was written; choose a smaller radius or allow more pairs.</source>
      <translation>{radius} 位以内的文档对超过 {most} 对。未写入任何内容；请选择更小的半径或允许更多的文档对。</translation>
    </message>
    <message>
      <source>No folder was given to scan: protected and left-out folders alone are not enough.</source>
      <translation>没有指定要扫描的文件夹：仅有受保护或排除的文件夹是不够的。</translation>
    </message>
    <message>
      <source>No trash can take {victim}{code}. It was left alone. Choose a quarantine folder on the same volume.</source>
      <translation>没有回收站可以接收 {victim}{code}，未作处理。请在同一卷上选择一个隔离文件夹。</translation>
    </message>
    <message>
      <source>Not marked: no other version of {path} stays. Its text is in {other}; mark it as a part, if that is enough.</source>
      <translation>未标记：{path} 没有其他版本留下。其正文在 {other} 中；如果这样足够，请将其标记为部分。</translation>
    </message>
    <message>
      <source>Not marked: no other version of {path} stays. {share} % of its text is in {other}; mark it as a part, if that is enough.</source>
      <translation>未标记：{path} 没有其他版本留下。其正文的 {share} % 在 {other} 中；如果这样足够，请将其标记为部分。</translation>
    </message>
    <message>
      <source>Not marked: {name} is inside the archive {archive}.</source>
      <translation>未标记：{name} 位于压缩包 {archive} 中。</translation>
    </message>
    <message>
      <source>Not marked: {other} is the same form, filled in differently. No other copy of {path} stays.</source>
      <translation>未标记：{other} 是同一表单，但填写内容不同。{path} 没有其他副本留下。</translation>
    </message>
    <message>
      <source>Not marked: {path} has text that no other file has. {other} holds a part of it only.</source>
      <translation>未标记：{path} 含有其他文件没有的文字。{other} 只包含其中一部分。</translation>
    </message>
    <message>
      <source>Not marked: {path} is in a protected folder.</source>
      <translation>未标记：{path} 位于受保护的文件夹中。</translation>
    </message>
    <message>
      <source>Not marked: {path} is the last copy. Keep another one first.</source>
      <translation>未标记：{path} 是最后一份。请先保留另一份。</translation>
    </message>
    <message>
      <source>Not marked: {path} is too unlike the versions that stay, such as {other}. Keep it, or a version between.</source>
      <translation>未标记：{path} 与留下的版本（如 {other}）差异过大。请保留它，或保留介于两者之间的版本。</translation>
    </message>
    <message>
      <source>Reading it took too long, so it was left out</source>
      <translation>读取时间过长，已跳过</translation>
    </message>
    <message>
      <source>That may not be done. Nothing was changed.</source>
      <translation>不允许这样做。没有任何更改。</translation>
    </message>
    <message>
      <source>The disk is full: {path} could not be written. What was finished before is kept; make room and start again.</source>
      <translation>磁盘已满：无法写入 {path}。此前已完成的内容均已保存；请腾出空间后重新开始。</translation>
    </message>
    <message>
      <source>The file system of {name} names a file only by replacing whatever has that name, so a document could be lost. {victim} was left where it is. Move it by hand, or use a folder on another volume.</source>
      <translation>{name} 所在的文件系统在命名文件时只能替换已有同名的内容，可能因此丢失文档。{victim} 已留在原处。请手动移动，或改用其他卷上的文件夹。</translation>
    </message>
    <message>
      <source>The folder {path} cannot be read ({reason}). Nothing was scanned.</source>
      <translation>无法读取文件夹 {path}（{reason}）。未扫描任何内容。</translation>
    </message>
    <message>
      <source>The folder {path} is not there. Nothing was scanned; reconnect the drive or choose another folder.</source>
      <translation>文件夹 {path} 不存在。未扫描任何内容；请重新连接驱动器或选择其他文件夹。</translation>
    </message>
    <message>
      <source>The history cannot be written down in {path} ({reason}). Nothing was removed and nothing was restored; make room there, or see to its permissions, and start again.</source>
      <translation>无法在 {path} 写入历史记录（{reason}）。没有移除也没有还原任何文件；请腾出空间或检查其权限，然后重新开始。</translation>
    </message>
    <message>
      <source>The history could not be written down any further in {path} ({reason}), so no further file was touched. What the removal {batch} has removed so far can be restored from the history, or with: dupfinder undo {batch}. Make room there first.</source>
      <translation>无法在 {path} 继续写入历史记录（{reason}），因此没有再改动任何文件。移除操作 {batch} 到目前为止移除的文件可以从历史记录还原，或使用：dupfinder undo {batch}。请先腾出空间。</translation>
    </message>
    <message>
      <source>The library was damaged. It was put aside as {path} and a new one was begun; no document was touched.</source>
      <translation>数据库已损坏，已另存为 {path}，并新建了一个；没有改动任何文档。</translation>
    </message>
    <message>
      <source>The library {path} cannot be opened: {reason}. Nothing was done; check its folder or name another library.</source>
      <translation>无法打开数据库 {path}：{reason}。未作任何处理；请检查其文件夹或指定其他数据库。</translation>
    </message>
    <message>
      <source>The library {path} is damaged and cannot be read. Your files are unchanged; scan again to build it anew.</source>
      <translation>数据库 {path} 已损坏，无法读取。您的文件没有变化；请重新扫描以重建。</translation>
    </message>
    <message>
      <source>The library {path} is in use by another process. Nothing was done; wait until it has ended.</source>
      <translation>数据库 {path} 正被另一个进程使用。未作任何处理；请等待其结束。</translation>
    </message>
    <message>
      <source>The library {path} is in use by process {holder}. Nothing was done; wait until it has ended.</source>
      <translation>数据库 {path} 正被进程 {holder} 使用。未作任何处理；请等待其结束。</translation>
    </message>
    <message>
      <source>The library {path} was written by a newer dupfinder (version {found}; this one knows {known}). Nothing was done; update dupfinder or name another library.</source>
      <translation>数据库 {path} 由更新的 dupfinder 写入（版本 {found}；此程序支持 {known}）。未作任何处理；请更新 dupfinder 或指定其他数据库。</translation>
    </message>
    <message>
      <source>The plan contradicts itself about {path}. Nothing was done; write it anew.</source>
      <translation>计划对 {path} 的处理自相矛盾。未作任何处理；请重新生成。</translation>
    </message>
    <message>
      <source>The processes that read documents cannot start ({reason}). The system may be short of memory. What was read so far is kept; close other programs or raise the limits, and start again.</source>
      <translation>读取文档的进程无法启动（{reason}）。系统可能内存不足。已读取的内容均已保存；请关闭其他程序或放宽限制，然后重新开始。</translation>
    </message>
    <message>
      <source>The processes that worked on the fingerprints from row {row} on ended again and again. Nothing was written; try fewer workers or smaller parts.</source>
      <translation>处理第 {row} 行起的指纹的进程多次意外结束。未写入任何内容；请减少进程数或缩小分段。</translation>
    </message>
    <message>
      <source>The program cannot go on. Nothing more was done; run it again with --debug for details.</source>
      <translation>程序无法继续。未再作任何处理；请加 --debug 重新运行以查看详情。</translation>
    </message>
    <message>
      <source>The setting {key} cannot be {value}: it must be {allowed}.</source>
      <translation>设置 {key} 不能为 {value}：应为 {allowed}。</translation>
    </message>
    <message>
      <source>The system does not allow {victim} to be moved{code}. It was left alone. Check the permissions of the file and its folder, then try again.</source>
      <translation>系统不允许移动 {victim}{code}，未作处理。请检查文件及其文件夹的权限后重试。</translation>
    </message>
    <message>
      <source>The system's trash took {victim} and did not tell where it is. It was not restored. Open the trash and restore it from there.</source>
      <translation>系统回收站接收了 {victim}，但没有告知位置，因此未能恢复。请打开回收站，从那里恢复。</translation>
    </message>
    <message>
      <source>There are no files in {path}. Nothing was scanned.</source>
      <translation>{path} 中没有文件。未扫描任何内容。</translation>
    </message>
    <message>
      <source>There is no finished scan in {path}. Scan a folder first.</source>
      <translation>{path} 中没有已完成的扫描。请先扫描一个文件夹。</translation>
    </message>
    <message>
      <source>There is no permission to read the folder {path}. Nothing was scanned; ask its owner or choose another.</source>
      <translation>没有读取文件夹 {path} 的权限。未扫描任何内容；请联系其所有者或选择其他文件夹。</translation>
    </message>
    <message>
      <source>There is no text in it, so it is compared by exact content only</source>
      <translation>其中没有文字，仅按完全相同的内容比较</translation>
    </message>
    <message>
      <source>To learn weights, {fewest} different documents are needed; this scan has {counted}.</source>
      <translation>学习权重至少需要 {fewest} 个不同的文档；此次扫描只有 {counted} 个。</translation>
    </message>
    <message>
      <source>a part of {keeper}</source>
      <translation>{keeper} 的一部分</translation>
    </message>
    <message>
      <source>a second name of the kept file</source>
      <translation>保留文件的另一个名称</translation>
    </message>
    <message>
      <source>a version of {keeper}, {share} % similar</source>
      <translation>{keeper} 的一个版本，相似度 {share} %</translation>
    </message>
    <message>
      <source>changed</source>
      <translation>已更改</translation>
    </message>
    <message>
      <source>changed in content</source>
      <translation>内容已更改</translation>
    </message>
    <message>
      <source>changed in size</source>
      <translation>大小已更改</translation>
    </message>
    <message>
      <source>deleted</source>
      <translation>已删除</translation>
    </message>
    <message>
      <source>failed</source>
      <translation>失败</translation>
    </message>
    <message>
      <source>given back</source>
      <translation>已归还</translation>
    </message>
    <message>
      <source>identical</source>
      <translation>完全相同</translation>
    </message>
    <message>
      <source>identical to {keeper}</source>
      <translation>与 {keeper} 完全相同</translation>
    </message>
    <message>
      <source>in the quarantine: {path}</source>
      <translation>在隔离区：{path}</translation>
    </message>
    <message>
      <source>in the system's trash, which does not tell where</source>
      <translation>在系统回收站中，具体位置未知</translation>
    </message>
    <message>
      <source>in the trash: {path}</source>
      <translation>在回收站：{path}</translation>
    </message>
    <message>
      <source>interrupted</source>
      <translation>已中断</translation>
    </message>
    <message>
      <source>it could not be renamed: the system said {failure}; check the permissions, then try again</source>
      <translation>无法重命名：系统报告 {failure}；请检查权限后重试</translation>
    </message>
    <message>
      <source>it does not tell its own name; look at what it holds, and rename or remove it yourself</source>
      <translation>它没有记录自己原来的名称；请查看其内容，然后自行重命名或移除</translation>
    </message>
    <message>
      <source>it is called {name} again</source>
      <translation>它又叫做 {name} 了</translation>
    </message>
    <message>
      <source>its attributes</source>
      <translation>其扩展属性</translation>
    </message>
    <message>
      <source>its name was taken; it is called {name} now, and nothing was overwritten</source>
      <translation>它的名称已被占用；现在叫做 {name}，没有覆盖任何文件</translation>
    </message>
    <message>
      <source>its owner</source>
      <translation>其所有者</translation>
    </message>
    <message>
      <source>its permissions</source>
      <translation>其权限</translation>
    </message>
    <message>
      <source>its text is in {keeper}</source>
      <translation>其正文在 {keeper} 中</translation>
    </message>
    <message>
      <source>its times</source>
      <translation>其时间</translation>
    </message>
    <message>
      <source>left alone</source>
      <translation>未改动</translation>
    </message>
    <message>
      <source>linked</source>
      <translation>已链接</translation>
    </message>
    <message>
      <source>moved</source>
      <translation>已移动</translation>
    </message>
    <message>
      <source>moved to {path}</source>
      <translation>已移至 {path}</translation>
    </message>
    <message>
      <source>part of a longer document</source>
      <translation>更长文档的一部分</translation>
    </message>
    <message>
      <source>quarantined</source>
      <translation>已隔离</translation>
    </message>
    <message>
      <source>removed</source>
      <translation>已移除</translation>
    </message>
    <message>
      <source>restored</source>
      <translation>已还原</translation>
    </message>
    <message>
      <source>same text</source>
      <translation>正文相同</translation>
    </message>
    <message>
      <source>same words, but not all else the same</source>
      <translation>文字相同，但其他内容不尽相同</translation>
    </message>
    <message>
      <source>the same text as {keeper}</source>
      <translation>与 {keeper} 文本相同</translation>
    </message>
    <message>
      <source>the same words as {keeper}</source>
      <translation>文字与 {keeper} 相同</translation>
    </message>
    <message>
      <source>the text of {keeper} is in it</source>
      <translation>{keeper} 的正文在其中</translation>
    </message>
    <message>
      <source>version, its text differs</source>
      <translation>版本，正文不同</translation>
    </message>
    <message>
      <source>was replaced by another file</source>
      <translation>已被另一个文件替换</translation>
    </message>
    <message>
      <source>was saved again</source>
      <translation>已重新保存</translation>
    </message>
    <message>
      <source>{keeper}, the copy to keep, is inside an archive, which does not count as kept. {victim} was left alone. Choose a copy outside of archives.</source>
      <translation>要保留的副本 {keeper} 位于压缩包内，不算作保留。{victim} 未作处理。请选择压缩包之外的副本。</translation>
    </message>
    <message>
      <source>{keeper}, the copy to keep, is no longer there. {victim} was left alone, for it may be the last copy. Scan again, or choose another copy to keep.</source>
      <translation>要保留的副本 {keeper} 已不存在。{victim} 可能是最后一份，因此未作处理。请重新扫描，或选择其他要保留的副本。</translation>
    </message>
    <message>
      <source>{keeper}, the copy to keep, {change} since it was scanned. {victim} was left alone. Scan again to compare the two anew.</source>
      <translation>要保留的副本 {keeper} 在扫描后{change}。{victim} 未作处理。请重新扫描以再次比较两者。</translation>
    </message>
    <message>
      <source>{name} is a trash or belongs to dupfinder, and receives no documents. {victim} was left where it is. Choose another folder.</source>
      <translation>{name} 是回收站或属于 dupfinder，不能接收文档。{victim} 留在原处。请选择其他文件夹。</translation>
    </message>
    <message>
      <source>{name} is taken by another file. {victim} was left where it is, and nothing was overwritten. Rename or move that file, or choose another folder.</source>
      <translation>{name} 已被另一个文件占用。{victim} 留在原处，没有覆盖任何文件。请重命名或移走该文件，或选择其他文件夹。</translation>
    </message>
    <message>
      <source>{path} cannot be used: {reason}.</source>
      <translation>无法使用 {path}：{reason}。</translation>
    </message>
    <message>
      <source>{path} cannot be written: there is no folder {folder}.</source>
      <translation>无法写入 {path}：文件夹 {folder} 不存在。</translation>
    </message>
    <message>
      <source>{path} cannot be written: {reason}.</source>
      <translation>无法写入 {path}：{reason}。</translation>
    </message>
    <message>
      <source>{path} exists already and is not a file that dupfinder wrote. It was left as it is.</source>
      <translation>{path} 已存在，且不是 dupfinder 写入的文件。该文件未作更改。</translation>
    </message>
    <message>
      <source>{path} is a folder; a file name is needed.</source>
      <translation>{path} 是文件夹；请指定文件名。</translation>
    </message>
    <message>
      <source>{path} is a symbolic link; name the file itself.</source>
      <translation>{path} 是符号链接；请指定文件本身。</translation>
    </message>
    <message>
      <source>{path} is not a folder. Nothing was scanned.</source>
      <translation>{path} 不是文件夹。未扫描任何内容。</translation>
    </message>
    <message>
      <source>{path} is not a library of dupfinder. It was left as it is; name another file.</source>
      <translation>{path} 不是 dupfinder 的数据库。该文件未作更改；请指定其他文件。</translation>
    </message>
    <message>
      <source>{path} is not an ordinary file; choose another name.</source>
      <translation>{path} 不是普通文件；请选择其他名称。</translation>
    </message>
    <message>
      <source>{path} is one of the scanned documents; a report never takes the place of one.</source>
      <translation>{path} 是被扫描的文档之一；报告绝不会取代文档。</translation>
    </message>
    <message>
      <source>{share} % of its text is in {keeper}</source>
      <translation>其正文的 {share} % 在 {keeper} 中</translation>
    </message>
    <message>
      <source>{told}.</source>
      <translation>{told}。</translation>
    </message>
    <message>
      <source>{told}: {detail}.</source>
      <translation>{told}：{detail}。</translation>
    </message>
    <message>
      <source>{victim} and {keeper} are less alike than the plan asks for{measure}. Nothing was done. Compare the two, and lower the least similarity if it should go all the same.</source>
      <translation>{victim} 与 {keeper} 的相似度低于计划要求{measure}，未作处理。请比较两者；若仍要移除，请降低最低相似度。</translation>
    </message>
    <message>
      <source>{victim} and {keeper} are not both documents: one is an archive, which holds more than the document that is alike. Nothing was done.</source>
      <translation>{victim} 与 {keeper} 并非都是文档：其中一个是压缩包，里面不止有那份相似的文档。未作处理。</translation>
    </message>
    <message>
      <source>{victim} and {keeper} are on different volumes. They cannot be joined into one file, and nothing was done. Move it to the trash instead.</source>
      <translation>{victim} 与 {keeper} 位于不同的卷，无法合为一个文件，未作处理。请改为移到回收站。</translation>
    </message>
    <message>
      <source>{victim} and {keeper} are two names of one file. Nothing was done, and removing a name would free nothing. Unmark it.</source>
      <translation>{victim} 与 {keeper} 是同一文件的两个名称。未作处理，移除一个名称不会释放空间。请取消标记。</translation>
    </message>
    <message>
      <source>{victim} and {keeper} could not both be read again{code}. Nothing was done. Check that both open, then try again.</source>
      <translation>无法再次读取 {victim} 与 {keeper}{code}，未作处理。请确认两者都能打开后重试。</translation>
    </message>
    <message>
      <source>{victim} and {keeper} do not hold the same bytes. They were not joined into one file. Move it to the trash instead.</source>
      <translation>{victim} 与 {keeper} 的字节并不相同，没有合为一个文件。请改为移到回收站。</translation>
    </message>
    <message>
      <source>{victim} and {keeper} were said to be no duplicates. Nothing was done. Take that back first if it should go.</source>
      <translation>{victim} 与 {keeper} 已被标为不是重复文档，未作处理。如要移除，请先撤销该标记。</translation>
    </message>
    <message>
      <source>{victim} could not be moved: the system said {failure}. It is now {where}. Free some space or check the permissions, then try again.</source>
      <translation>无法移动 {victim}：系统提示 {failure}。它现在位于 {where}。请腾出空间或检查权限后重试。</translation>
    </message>
    <message>
      <source>{victim} could not be moved: the system said {failure}. It is where it was. Free some space or check the permissions, then try again.</source>
      <translation>无法移动 {victim}：系统提示 {failure}。它仍在原处。请腾出空间或检查权限后重试。</translation>
    </message>
    <message>
      <source>{victim} is back, but the system did not let it have {marks} as before.</source>
      <translation>{victim} 已恢复，但系统不允许还原{marks}。</translation>
    </message>
    <message>
      <source>{victim} is being written by another program. It was left alone. Close it there, then try again.</source>
      <translation>{victim} 正被另一个程序写入，未作处理。请在该程序中关闭后重试。</translation>
    </message>
    <message>
      <source>{victim} is in a protected folder, or would go to one. It was left alone. Change the folder's role and scan again if it should go.</source>
      <translation>{victim} 位于受保护的文件夹中，或将被移入其中，未作处理。若要移除，请更改该文件夹的角色并重新扫描。</translation>
    </message>
    <message>
      <source>{victim} is inside an archive, and archives are never changed. Nothing was done. Remove it with the program that packed it, if it should go.</source>
      <translation>{victim} 位于压缩包内，压缩包绝不会被改动，因此未作处理。若要移除，请使用打包它的程序。</translation>
    </message>
    <message>
      <source>{victim} is no longer a regular file. Nothing was done. Scan again.</source>
      <translation>{victim} 已不是普通文件，未作处理。请重新扫描。</translation>
    </message>
    <message>
      <source>{victim} is no longer there. Nothing was done. Scan again to bring the results up to date.</source>
      <translation>{victim} 已不存在，未作处理。请重新扫描以更新结果。</translation>
    </message>
    <message>
      <source>{victim} is no longer where it was put ({name}). It was not restored; the trash may have been emptied. {keeper} was kept as its copy.</source>
      <translation>{victim} 已不在当时放置的位置（{name}），未能恢复；回收站可能已清空。其副本 {keeper} 已保留。</translation>
    </message>
    <message>
      <source>{victim} is outside the folders that were scanned. It was left alone. Scan its folder first.</source>
      <translation>{victim} 不在扫描过的文件夹内，未作处理。请先扫描其所在文件夹。</translation>
    </message>
    <message>
      <source>{victim} may be the last copy of its document. It was left alone. Keep another copy first.</source>
      <translation>{victim} 可能是该文档的最后一份，未作处理。请先保留另一份。</translation>
    </message>
    <message>
      <source>{victim} stays in the quarantine as {where}: {keeper}, the copy that was kept for it, changed or is no longer there, so it may be the last one. Restore it with `dupfinder undo`, or keep another copy first.</source>
      <translation>{victim} 仍在隔离区（{where}）：为它保留的副本 {keeper} 已更改或不存在，因此它可能是最后一份。请用 `dupfinder undo` 还原，或先保留另一份副本。</translation>
    </message>
    <message>
      <source>{victim} was marked to be kept. It was left alone. Take that mark back first if it should go.</source>
      <translation>{victim} 已标记为保留，未作处理。如要移除，请先取消该标记。</translation>
    </message>
    <message>
      <source>{victim} was restored as {where}.</source>
      <translation>{victim} 已还原为 {where}。</translation>
    </message>
    <message>
      <source>{victim} {change} since it was scanned. It was left alone. Scan again to compare it anew.</source>
      <translation>{victim} 在扫描后{change}，未作处理。请重新扫描以再次比较。</translation>
    </message>
    <message>
      <source>{where} no longer holds the bytes of {victim}. It was not deleted, for what is there now may be newer. Look at that file, and delete it by hand if nobody needs it.</source>
      <translation>{where} 的内容已不是 {victim} 的内容。未将其删除，因为现有内容可能更新。请查看该文件，若无人需要可手动删除。</translation>
    </message>
    <message>
      <source>{where} no longer holds the bytes of {victim}. It was not restored, for what is there now may be newer. Look at that file and copy it by hand if it is what you want.</source>
      <translation>{where} 中已不是 {victim} 的内容。那里现在的内容可能更新，因此未恢复。请查看该文件，若确是所需，请手动复制。</translation>
    </message>
  </context>
</TS>
