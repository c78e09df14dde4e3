import { readFileSync } from 'node:fs';
import { appCheck } from '../packages/endpoints/src/declaration/parameters.ts';
import { useInProcessService } from '../test/support/processes/inProcessService.ts';

const service = useInProcessService();

test.each([
  { mode: 'off', status: 200 },
  { mode: 'enforce', status: 403 },
] as const)(
  'the uptime check accepts the response with APP_CHECK=$mode',
  async ({ mode, status }) => {
    const script = readFileSync('tools/createAlerts.sh', 'utf8');
    const [, path = ''] = /--path='\/api([^']*)'/.exec(script) ?? [];
    const [, content = ''] = /--matcher-content='([^']*)'/.exec(script) ?? [];
    const [, statuses = ''] = /--status-codes=([\d,]*)/.exec(script) ?? [];
    jest.spyOn(appCheck, 'value').mockReturnValue(mode);

    const response = await service.send('flash-listByArtist', {
      path,
      template: '/flash/artist/{id}/paginated',
      method: 'GET',
    });

    expect(response.status).toBe(status);
    expect(statuses.split(',')).toContain(String(status));
    expect(response.text).toMatch(new RegExp(content));
  },
);
