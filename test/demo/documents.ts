import { demoCalendars } from './calendar.ts';
import { demoConversations } from './conversations.ts';
import type { DemoDocument } from './document.ts';
import { demoPortfolios } from './portfolio.ts';
import { demoUsers } from './users.ts';

/** Every document of the demo: the same ids and the same content each time. */
export function demoDocuments(): DemoDocument[] {
  return [...demoUsers(), ...demoPortfolios(), ...demoCalendars(), ...demoConversations()];
}
