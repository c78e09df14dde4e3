import { readdirSync, readFileSync } from 'node:fs';
import { toCloudRunServiceName } from '@tattoo-marketplace/endpoints';
import { endpoints, otherFunctionIds } from '../../functions/service.ts';
import { ALERTS, replaceServiceFilter } from './alerts.ts';

interface AlertPolicy {
  readonly displayName: string;
  readonly documentation: { readonly content: string };
}

test.each(readdirSync('monitoring/alerts'))(
  '%s links to the section of the runbook that has its display name',
  (name) => {
    const policy = readFileSync(`monitoring/alerts/${name}`, 'utf8');
    const { displayName, documentation } = JSON.parse(policy) as AlertPolicy;
    const link = `docs/operating.md#${displayName.toLowerCase().replaceAll(' ', '-')}`;

    expect(documentation.content.endsWith(`Runbook: ${link}`)).toBe(true);
    expect(readFileSync('docs/operating.md', 'utf8')).toContain(`\n### ${displayName}\n`);
  },
);

test('replaceServiceFilter names the Cloud Run services of the functions exactly', () => {
  const file = String.raw`{"query": "a{service_name=~\"(old-list)\"}", "filter": "full_match(\"(old-list)\")"}`;

  const updated = replaceServiceFilter(file, [
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
