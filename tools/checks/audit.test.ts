import { auditResult } from './audit.ts';

test.each<[string, string, boolean, string[]]>([
  [
    'a report without vulnerabilities',
    '{"auditReportVersion": 2, "vulnerabilities": {}}',
    false,
    ['Vulnerabilities: none known.'],
  ],
  [
    'a moderate vulnerability',
    '{"vulnerabilities": {"a": {"severity": "moderate"}}}',
    false,
    ['Vulnerabilities: 1.', 'a: moderate'],
  ],
  [
    'a high vulnerability',
    '{"vulnerabilities": {"a": {"severity": "low"}, "b": {"severity": "high"}}}',
    true,
    ['Vulnerabilities: 2.', 'a: low', 'b: high'],
  ],
  [
    'a registry that does not answer',
    '{"message": "405 Method Not Allowed", "statusCode": 405}',
    false,
    [
      'Vulnerabilities: unknown, because the registry does not answer an audit (405 Method Not Allowed).',
    ],
  ],
  [
    'no report',
    '',
    false,
    [
      'Vulnerabilities: unknown, because the registry does not answer an audit (npm wrote no report).',
    ],
  ],
])('reports %s', (...row) => {
  const [, output, isSevere, sentences] = row;

  expect(auditResult(output)).toEqual({ isSevere, sentences });
});
