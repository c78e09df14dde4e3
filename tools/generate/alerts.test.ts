import { readdirSync, readFileSync } from 'node:fs';
import { replaceServiceFilter } from './alerts.ts';

const guide = readFileSync('docs/operating.md', 'utf8');
const anchors = [...guide.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
  heading.toLowerCase().replaceAll(' ', '-'),
);

test.each(readdirSync('monitoring/alerts'))('%s links to the runbook', (name) => {
  const policy = readFileSync(`monitoring/alerts/${name}`, 'utf8');

  const [, anchor] = /docs\/operating\.md#([\w-]+)"/.exec(policy) ?? [];

  expect(anchors).toContain(anchor);
});

test('an alert watches the services of all groups, as the CLI names them', () => {
  const file = String.raw`{"query": "a{service_name=~\"(old)-.*\"}", "filter": "full_match(\"(old)-.*\")"}`;

  const watched = replaceServiceFilter(file, [
    'flash',
    'unavailableEvents',
    'price_lists',
    'flash',
  ]);

  const services = '(flash|price-lists|unavailableevents)-.*';
  expect(JSON.parse(watched)).toEqual({
    query: `a{service_name=~"${services}"}`,
    filter: `full_match("${services}")`,
  });
});
