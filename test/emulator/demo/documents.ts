import { demoCalendars } from './calendar.ts';
import { demoConversations } from './conversations.ts';
import type { DemoDocument } from './document.ts';
import { demoPortfolios } from './portfolio.ts';
import { demoUsers } from './users.ts';

/** Where the local stack serves the pictures, on its default port. */
export const PICTURES = 'http://127.0.0.1:5000/demo/pictures';

/** Every document of the demo: the same ids and the same content each time. The pictures are at that address. */
export function demoDocuments(pictures = PICTURES): DemoDocument[] {
  return [
    ...demoUsers(pictures),
    ...demoPortfolios(pictures),
    ...demoCalendars(),
    ...demoConversations(),
  ];
}
