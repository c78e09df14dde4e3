import { DEMO_NOW, HOUR, pick, threeDigits, type DemoDocument } from './document.ts';
import { artistId, clientId, DEMO_ARTISTS, DEMO_CLIENTS, STUDIO_ID } from './people.ts';

const LINES = [
  'Hi! Is the swallow still available?',
  'It is. Where would you like it?',
  'On the left forearm, about three inches.',
  'Good size for it. Do you have a day in mind?',
  'Any Thursday in October would be great.',
  'The 15th at two is free. Shall I hold it for you?',
  'Yes please!',
  'Done. Eat something before you come in.',
  'Could we make the tail a little longer?',
  'Of course, I will send you a sketch tonight.',
] as const;

interface DemoConversation {
  readonly id: string;
  readonly participantIds: readonly [string, string, ...string[]];
  readonly messages: number;
}

/** Conversations of two and of three, with their messages. */
export function demoConversations(): DemoDocument[] {
  const artists = DEMO_ARTISTS.map(artistId);
  const clients = DEMO_CLIENTS.map(clientId);
  const between = (artist: number, client: number, ...others: string[]) =>
    [artists[artist] ?? '', clients[client] ?? '', ...others] as const;
  const conversations: readonly DemoConversation[] = [
    { id: 'conversation-mara-robin', participantIds: between(0, 0), messages: 144 },
    { id: 'conversation-mara-sasha', participantIds: between(0, 1), messages: 9 },
    {
      id: 'conversation-mara-mateo-studio',
      participantIds: between(0, 2, STUDIO_ID),
      messages: 26,
    },
    { id: 'conversation-theo-priya', participantIds: between(1, 3), messages: 12 },
    {
      id: 'conversation-ines-jonas-bea',
      participantIds: between(2, 4, clients[5] ?? ''),
      messages: 31,
    },
    { id: 'conversation-jun-robin', participantIds: between(3, 0), messages: 1 },
    { id: 'conversation-wren-sasha', participantIds: between(4, 1), messages: 0 },
  ];
  return conversations.flatMap(conversationDocuments);
}

function conversationDocuments({ id, participantIds, messages }: DemoConversation): DemoDocument[] {
  return [
    {
      path: `conversations/${id}`,
      data: { participantIds, createdAt: DEMO_NOW - 400 * HOUR, updatedAt: DEMO_NOW },
    },
    ...Array.from({ length: messages }, (_, index) => {
      // The client, second among them, writes first.
      const senderId = pick(participantIds, index + 1);
      return {
        path: `conversations/${id}/messages/message-${threeDigits(index)}`,
        data: {
          senderId,
          content: pick(LINES, index),
          // Every fifth comes in the same moment as the one before it: the id decides between them.
          timestamp: DEMO_NOW - (messages - index + (index % 5 === 4 ? 1 : 0)) * HOUR,
          readBy: index < messages - 3 ? participantIds : [senderId],
          type: 'text',
        },
      };
    }),
  ];
}
