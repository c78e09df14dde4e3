import { readdirSync, readFileSync } from 'node:fs';
import { toCloudRunServiceName } from '@tattoo-marketplace/endpoints';
import { endpoints, otherFunctionIds } from '../../functions/service.ts';
import { ALERTS, replaceServiceFilter } from './alerts.ts';

interface AlertPolicy {
  readonly displayName: string;
  readonly documentation: { readonly content: string };
}

test.each(readdirSync('monitoring/alerts'))(
  '%s links to the section of the runbook that has its display name, and the runbook has its text',
  (name) => {
    const policy = readFileSync(`monitoring/alerts/${name}`, 'utf8');
    const { displayName, documentation } = JSON.parse(policy) as AlertPolicy;
    const anchor = `#${displayName.toLowerCase().replaceAll(' ', '-')}`;
    const runbook = readFileSync('docs/operating.md', 'utf8');
    const [condition] = documentation.content.split(/\. Runbook: /);

    expect(documentation.content.endsWith(`Runbook: docs/operating.md${anchor}`)).toBe(true);
    expect(runbook).toContain(`\n### ${displayName}\n`);
    expect(runbook).toContain(`\n|[${displayName}](${anchor})|${condition}|\n`);
  },
);

test.each([
  { file: 'failures.json', condition: '> 0.01 and', text: '1 %' },
  { file: 'failures.json', condition: '>= 5"', text: '5 or more' },
  { file: 'failures.json', condition: '"duration": "300s"', text: '5 minutes' },
  { file: 'latency.json', condition: 'REDUCE_PERCENTILE_95', text: 'One in twenty' },
  { file: 'latency.json', condition: '"thresholdValue": 2000', text: 'more than 2 s' },
  { file: 'latency.json', condition: '"duration": "600s"', text: '10 minutes' },
  { file: 'reads.json', condition: '[1h])) > 1000000"', text: 'More than a million' },
  { file: 'tooManyRequests.json', condition: '[5m])) > 100"', text: 'In 5 minutes' },
  { file: 'tooManyRequests.json', condition: '> 100"', text: 'more than 100' },
  { file: 'unreachable.json', condition: '"thresholdValue": 1,', text: 'two places or more' },
])('the text of $file says "$text", like its condition', ({ file, condition, text }) => {
  const policy = readFileSync(`monitoring/alerts/${file}`, 'utf8');

  expect(policy).toContain(condition);
  expect((JSON.parse(policy) as AlertPolicy).documentation.content).toContain(text);
});

test('replaceServiceFilter names the Cloud Run services of the functions exactly', () => {
  const policy = String.raw`{"query": "a{service_name=~\"(old-list)\"}", "filter": "full_match(\"(old-list)\")"}`;

  const updated = replaceServiceFilter(policy, [
    'flash-reorder',
    'unavailableEvents-edit',
    'price_lists-list',
  ]);

  const services = '(flash-reorder|price-lists-list|unavailableevents-edit)';
  expect(JSON.parse(updated)).toEqual({
    query: `a{service_name=~"${services}"}`,
    filter: `full_match("${services}")`,
  });
});

test.each(ALERTS)('%s names exactly the services of this repository', (file) => {
  const policy = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
  const filters = [...policy.matchAll(/\((artists-[^)]*)\)/g)].map(([, names = '']) =>
    names.split('|'),
  );
  const services = [...endpoints.map(({ functionId }) => functionId), ...otherFunctionIds];

  expect(filters).not.toEqual([]);
  for (const names of filters) expect(names).toEqual(services.map(toCloudRunServiceName).sort());
});
