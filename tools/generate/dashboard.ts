/** Generates monitoring/dashboard.json: the dashboard of Cloud Monitoring for the functions of the service. */
import type { protos } from '@google-cloud/monitoring-dashboards';
import { toCloudRunServiceName } from '@tattoo-marketplace/endpoints';

type Dashboard = protos.google.monitoring.dashboard.v1.IDashboard;
type Tile = protos.google.monitoring.dashboard.v1.MosaicLayout.ITile;

/** The size of a chart, in columns and rows of the dashboard, which has 48 columns. */
const CHART = { width: 24, height: 16 };

/** Creates a dashboard with a chart for each measure; each chart has a line for each function. */
export function createDashboard(functionIds: readonly string[]): Dashboard {
  const services = functionIds.map(toCloudRunServiceName).sort().join('|');
  const filter = `monitored_resource="cloud_run_revision",service_name=~"(${services})"`;
  const sumRate = (metric: string, labels = '') =>
    `sum by (service_name) (rate(${metric}{${filter}${labels}}[\${__interval}]))`;
  const requests = 'run_googleapis_com:request_count';
  const buckets = `rate(run_googleapis_com:request_latencies_bucket{${filter}}[\${__interval}])`;
  return {
    displayName: 'Tattoo API',
    mosaicLayout: {
      columns: 2 * CHART.width,
      tiles: [
        ['Requests per second', sumRate(requests)],
        ['5xx per second', sumRate(requests, ',response_code_class="5xx"')],
        ['429 per second', sumRate(requests, ',response_code="429"')],
        [
          '95th percentile of the latency, in ms',
          `histogram_quantile(0.95, sum by (service_name, le) (${buckets}))`,
        ],
        ['Firestore reads per second', sumRate('logging_googleapis_com:user_tattoo_reads_sum')],
        ['Firestore writes per second', sumRate('logging_googleapis_com:user_tattoo_writes_sum')],
        [
          'Instances',
          `sum by (service_name) (run_googleapis_com:container_instance_count{${filter}})`,
        ],
      ].map(([title = '', query = ''], index) => createTile(index, title, query)),
    },
  };
}

/** Creates the tile of a chart. Charts stand in two columns. */
function createTile(index: number, title: string, prometheusQuery: string): Tile {
  return {
    xPos: (index % 2) * CHART.width,
    yPos: Math.floor(index / 2) * CHART.height,
    ...CHART,
    widget: {
      title,
      xyChart: {
        dataSets: [
          {
            plotType: 'LINE',
            targetAxis: 'Y1',
            timeSeriesQuery: { prometheusQuery },
          },
        ],
      },
    },
  };
}
