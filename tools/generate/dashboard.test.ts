import { readFileSync } from 'node:fs';
import { protos } from '@google-cloud/monitoring-dashboards';

const { Dashboard } = protos.google.monitoring.dashboard.v1;

test('monitoring/dashboard.json has only fields and values of the API', () => {
  const dashboard = JSON.parse(readFileSync('monitoring/dashboard.json', 'utf8')) as object;

  // The conversion omits what the API does not know.
  const converted = Dashboard.toObject(Dashboard.fromObject(dashboard), { enums: String });
  expect(JSON.parse(JSON.stringify(converted))).toEqual(dashboard);
});
