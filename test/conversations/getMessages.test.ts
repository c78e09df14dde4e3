import { inProcessService } from '../support/inProcessService.ts';

const service = inProcessService();

test.each([
  [200, ['bob', 'alice']],
  [403, ['alice-2', 'alic', 'Alice', 'alice ', '']],
  [403, ['bob', { uid: 'alice' }]],
  [403, 'alice'],
])('answers alice with %i if the participants are %j', async (expected, participantIds) => {
  await service.store.set('conversations/talk', { participantIds });

  const query = { conversationId: 'talk' };
  const { status } = await service.call('conversations-getMessages', { query }, 'alice');

  expect(status).toBe(expected);
});
