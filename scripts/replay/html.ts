import { basename } from 'node:path';
import type { Report } from './findings.ts';

type Operation = Report['operations'][number];
type Finding = Operation['findings'][number];
type Unknown = Report['unknown']['paths'][number];

const style = `
:root { color-scheme: light dark; --ink: #1c2733; --soft: #56646f; --line: #d5dce2; --paper: #fff; --bad: #a4262c; --good: #1d6b36; --wash: #f4f6f8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8edf1; --soft: #a3b0ba; --line: #36424c; --paper: #161c21; --bad: #ff9b9b; --good: #8fd6a4; --wash: #1d252b; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { margin: 0; font-size: 1.6rem; } h2 { margin: 2.5rem 0 .5rem; font-size: 1.2rem; }
p { margin: .25rem 0 1rem; color: var(--soft); max-width: 46rem; }
code { font: .875em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
dl.sum { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; }
dl.sum div { flex: 1 1 9rem; padding: .6rem .9rem; border: 1px solid var(--line); border-radius: .4rem; }
dl.sum dt { color: var(--soft); font-size: .875rem; } dl.sum dd { margin: 0; font-size: 1.5rem; font-weight: 600; }
details { border-top: 1px solid var(--line); padding: .6rem 0; } details:last-of-type { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; } summary b { float: right; margin-left: 1rem; font-weight: 600; }
.bad { color: var(--bad); } .good { color: var(--good); }
.table { overflow-x: auto; } table { width: 100%; min-width: 36rem; border-collapse: collapse; margin: .6rem 0; font-size: .9375rem; }
th { text-align: left; font-weight: 600; color: var(--soft); } th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n { text-align: right; } small { display: block; color: var(--soft); overflow-wrap: anywhere; }
tr:last-child td { border-bottom: 0; } th:last-child { text-align: right; padding-right: .75rem; }
`;

/** What each kind of difference means to a client. */
const meanings: Record<Finding['kind'], string> = {
  status: 'another status',
  type: 'another media type',
  missing: 'a member is missing',
  added: 'an additional member',
  kind: 'another kind of value',
  value: 'another value',
  count: 'other records, or another number of them',
  order: 'another order, though the client asked for one',
};

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const text = (given: string): string => given.replace(/[&<>"]/g, one => escapes[one]!);
const code = (given: string): string => (given === '' ? '' : `<code>${text(given)}</code>`);
const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
const when = (at: string): string => text(at.replace('T', ' ').replace(/(:\d\d)(\.\d+)?Z$/, '$1 UTC'));

/** The report as one self-contained page. */
export function page(report: Report): string {
  const { recording, operations, unknown, notSent } = report;
  const differing = operations.filter(({ differ }) => differ > 0);
  const same = operations.filter(({ differ, sent }) => differ === 0 && sent > 0);
  const accepted = operations.flatMap(one =>
    one.accepted.map(found => ({ ...found, operation: one.operation })),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Replay: ${report.differ} of ${report.sent} differ</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${report.differ === 0 ? 'Both services answer alike' : `${report.differ} of ${report.sent} requests are answered differently`}</h1>
<p>${code(basename(recording.file))}, ${counted(recording.requests, 'request')}${recording.unreadable > 0 ? `, ${counted(recording.unreadable, 'line')} not read` : ''}. Old: ${code(report.old)} New: ${code(report.new)} Made ${when(report.made)}.</p>
<dl class="sum">
${tile('Sent', report.sent)}${tile('Differ', report.differ, report.differ > 0)}${tile('Operations that differ', differing.length, differing.length > 0)}${tile('Unknown parameters', unknown.parameters.length, unknown.parameters.length > 0)}${tile('Unknown paths', unknown.paths.length, unknown.paths.length > 0)}
</dl>
${section('What differs', 'By operation. The operation with the most differing requests comes first. Each row shows the first recorded request that shows the difference.', differing.map(detailsOf))}
${section('What clients send and the specification does not know', 'The new service ignores unknown parameters and answers 404 to unknown paths.', unknownRows(unknown.parameters, unknown.paths))}
${section(
  'Accepted',
  'Differences that the file given with --accept lists.',
  accepted.length > 0
    ? [
        table(
          ['Operation', 'Where', 'Because', 'Requests'],
          accepted.map(one => [code(one.operation), whereOf(one), text(one.because), String(one.requests)]),
        ),
      ]
    : [],
)}
${section(
  'Answered alike',
  '',
  same.length > 0
    ? [
        table(
          ['Operation', 'Recorded', 'Sent'],
          same.map(one => [code(one.operation), String(one.recorded), String(one.sent)]),
        ),
      ]
    : [],
)}
${section(
  'Not sent',
  '',
  Object.keys(notSent).length > 0
    ? [
        table(
          ['Why', 'Requests'],
          Object.entries(notSent).map(([why, count]) => [text(why), String(count)]),
        ),
      ]
    : [],
)}
</main>
</body>
</html>
`;
}

const tile = (name: string, count: number, isBad = false): string =>
  `<div><dt>${name}</dt><dd${isBad ? ' class="bad"' : ''}>${count}</dd></div>\n`;

const section = (title: string, about: string, parts: string[]): string =>
  parts.length === 0 ? '' : `<h2>${title}</h2>\n${about && `<p>${about}</p>\n`}${parts.join('\n')}`;

const detailsOf = ({
  operation,
  isKnown,
  recorded,
  sent,
  differ,
  findings,
}: Operation): string => `<details open>
<summary>${code(operation)}${isKnown ? '' : ' (unknown path)'} <b class="bad">${differ} of ${sent}</b></summary>
${table(
  ['What', 'Old', 'New', 'Requests'],
  findings
    .toSorted((a, b) => b.requests - a.requests)
    .map(one => [
      `${whereOf(one)}<small>since ${when(one.first.at) || 'the first line'}: ${code(one.first.request)}</small>`,
      code(one.first.old),
      code(one.first.new),
      String(one.requests),
    ]),
)}
<small>recorded ${counted(recorded, 'time')}</small>
</details>`;

const whereOf = ({ kind, member }: Pick<Finding, 'kind' | 'member'>): string =>
  `${meanings[kind]}${member && `: ${code(member)}`}`;

function unknownRows(parameters: Unknown[], paths: Unknown[]): string[] {
  const since = ({ first }: Unknown): string => `${when(first.at)} ${code(first.request)}`;
  return [
    ...(parameters.length > 0
      ? [
          table(
            ['Parameter', 'Operation', 'Nearest known', 'Since', 'Requests'],
            parameters.map(one => [
              code(one.name),
              code(one.operation!),
              code(one.nearest ?? ''),
              since(one),
              String(one.requests),
            ]),
          ),
        ]
      : []),
    ...(paths.length > 0
      ? [
          table(
            ['Path', 'Since', 'Requests'],
            paths.map(one => [code(one.name), since(one), String(one.requests)]),
          ),
        ]
      : []),
  ];
}

/** A table whose last column is a number. */
const table = (titles: string[], rows: string[][]): string => `<div class="table"><table>
<thead><tr>${titles.map(title => `<th scope="col">${title}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(row => `<tr>${row.map((cell, i) => (i === row.length - 1 ? `<td class="n">${cell}</td>` : `<td>${cell}</td>`)).join('')}</tr>`).join('\n')}
</tbody></table></div>`;
