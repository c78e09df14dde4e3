import { demoCalendars } from './calendar.ts';
import { demoConversations } from './conversations.ts';
import type { DemoDocument } from './document.ts';
import { demoPortfolios } from './portfolio.ts';
import { demoUsers } from './users.ts';

/** The URL of the pictures on a local stack with its default port. */
export const PICTURES = 'http://127.0.0.1:5000/demo/pictures';

/** All demo documents, with the same ids and content each time. `pictures` is the URL of the pictures. */
export function demoDocuments(pictures = PICTURES): DemoDocument[] {
  return [
    ...demoUsers(pictures),
    ...demoPortfolios(pictures),
    ...demoCalendars(),
    ...demoConversations(),
  ];
}
