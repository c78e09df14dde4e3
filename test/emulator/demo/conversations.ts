import { DAY, DEMO_NOW, HOUR, threeDigits, type DemoDocument } from './document.ts';
import { STUDIO_ID } from './people.ts';

/** The speaker of a line: the artist, the client, or a third person. */
type Speaker = 'artist' | 'client' | 'third';
type Talk = readonly (readonly [Speaker, string])[];

const BOOKING: Talk = [
  ['client', 'Hi! Is the {motif} still available?'],
  ['artist', 'It is. Where would you like it?'],
  ['client', 'On the {placement}, about four inches.'],
  ['artist', 'Good size for it. Do you have a day in mind?'],
  ['client', 'Any {day} this month would be great.'],
  ['artist', 'Next {day} at two is free. Shall I hold it for you?'],
  ['client', 'Yes please!'],
  ['artist', 'Held. The deposit is 50, it comes off the price.'],
  ['client', 'Just paid it.'],
  ['artist', 'Got it, thank you. Eat something before you come in.'],
  ['client', 'Will do. Is there parking nearby?'],
  ['artist', 'Behind the bakery, free after noon.'],
];
const SKETCH: Talk = [
  ['artist', 'The sketch of the {motif} is done, it is in your e-mail.'],
  ['client', 'Oh, I love it. Could it be a little lighter at the edges?'],
  ['artist', 'Of course. Thinner lines there, or just less shading?'],
  ['client', 'Less shading, please. The lines are perfect.'],
  ['artist', 'Done. Still on the {placement}?'],
  ['client', 'Yes. Should I shave it before?'],
  ['artist', 'No need, I do that here.'],
  ['client', 'And moisturise?'],
  ['artist', 'Every day until then, but not on the day itself.'],
  ['client', 'Understood. Can I bring a friend?'],
  ['artist', 'One friend, gladly. There is a sofa, and there are biscuits.'],
  ['client', 'Sold. See you on {day}!'],
];
const AFTERCARE: Talk = [
  ['artist', 'How is the {placement} today?'],
  ['client', 'A bit red, otherwise fine. The {motif} looks amazing.'],
  ['artist', 'Redness is normal for two days. Wash it twice a day and pat it dry.'],
  ['client', 'With the soap you gave me?'],
  ['artist', 'That one, or any without perfume.'],
  ['client', 'When does the film come off?'],
  ['artist', 'Tomorrow evening, under warm water. Slowly.'],
  ['client', 'And if it itches?'],
  ['artist', 'Then it heals. Do not scratch; pat it gently if you must.'],
  ['client', 'Swimming?'],
  ['artist', 'Not for three weeks. Sorry!'],
  ['client', 'I will survive. Thank you!'],
];
const HEALED: Talk = [
  ['client', 'The {motif} has healed well!'],
  ['artist', 'Send me a photo? In daylight, if you can.'],
  ['client', 'Sent. There is one light spot at the top.'],
  ['artist', 'I see it. A touch-up takes ten minutes and costs nothing.'],
  ['client', 'When would suit you?'],
  ['artist', '{day} before noon, just walk in.'],
  ['client', 'Perfect.'],
  ['artist', 'May I show the photo in my gallery?'],
  ['client', 'Of course, tag me!'],
  ['artist', 'Thank you. So, what comes after the {motif}?'],
  ['client', 'Give me a month, I already have an idea.'],
  ['artist', 'They all say that. I am here.'],
];
const FRONT_DESK: Talk = [
  ['third', 'Hello Mateo, this is the front desk. Mara asked for a room for your {motif}.'],
  ['client', 'Thank you! It is my first one, I am a little nervous.'],
  ['artist', 'We take our time. The quiet room would be good, if it is free.'],
  ['third', 'The quiet room is free on {day}, from noon.'],
  ['client', '{day} works. How long will it take?'],
  ['artist', 'About three hours for the {placement}, with breaks.'],
  ['third', 'I have put you down from noon to four.'],
  ['client', 'Do you take cards?'],
  ['third', 'Cards and cash. The link for the deposit is in your e-mail.'],
  ['client', 'Paid.'],
  ['third', 'Seen, thank you. Please bring an ID.'],
  ['artist', 'And a snack. See you on {day}!'],
  ['client', 'See you both then.'],
];
const MATCHING: Talk = [
  ['client', 'Hola Inés! Bea and I would like a matching {motif}.'],
  ['third', 'Matching, not identical. Jonas wants his bigger.'],
  ['artist', 'Of course he does. Where?'],
  ['client', 'On the {placement}, both of us.'],
  ['third', 'Left for me, right for him, so that they meet.'],
  ['artist', 'I like that. I can do both on one {day}, one after the other.'],
  ['third', 'Who goes first?'],
  ['artist', 'The one who is more afraid.'],
  ['client', 'So that is settled.'],
  ['third', 'He means himself.'],
  ['artist', 'Come at eleven. Two sketches follow tonight.'],
  ['client', '¡Gracias!'],
  ['third', 'They are perfect. Both of them.'],
  ['artist', 'Then I print the stencils. Until {day}, ¡hasta luego!'],
];
const CONSULTATION: Talk = [
  ['client', 'Hello Jun, your sleeves start with a consultation. How do I ask for one?'],
];

/** The subject of a talk. */
interface Subject {
  readonly motif: string;
  readonly placement: string;
  readonly day: string;
}

interface DemoConversation {
  readonly id: string;
  readonly artist: string;
  readonly client: string;
  readonly third?: string;
  readonly talks: readonly { readonly talk: Talk; readonly about: Subject }[];
}

/** The talks about one tattoo, from the first question to the healed skin. */
function tattoo(motif: string, placement: string, day: string): DemoConversation['talks'] {
  const about = { motif, placement, day };
  return [BOOKING, SKETCH, AFTERCARE, HEALED].map((talk) => ({ talk, about }));
}

const CONVERSATIONS: readonly DemoConversation[] = [
  {
    id: 'conversation-mara-robin',
    artist: 'artist-mara-voss',
    client: 'client-robin-adeyemi',
    talks: [
      ...tattoo('swallow', 'left forearm', 'Thursday'),
      ...tattoo('panther head', 'right calf', 'Friday'),
      ...tattoo('lighthouse over waves', 'upper arm', 'Wednesday'),
    ],
  },
  {
    id: 'conversation-mara-sasha',
    artist: 'artist-mara-voss',
    client: 'client-sasha-whitfield',
    talks: tattoo('black cat with a full moon', 'ankle', 'Tuesday').slice(0, 1),
  },
  {
    id: 'conversation-mara-mateo-studio',
    artist: 'artist-mara-voss',
    client: 'client-mateo-lindqvist',
    third: STUDIO_ID,
    talks: [{ talk: FRONT_DESK, about: { motif: 'moth', placement: 'shoulder', day: 'Friday' } }],
  },
  {
    id: 'conversation-theo-priya',
    artist: 'artist-theo-okafor',
    client: 'client-priya-raman',
    talks: tattoo('sprig of lavender', 'inner arm', 'Saturday').slice(0, 2),
  },
  {
    id: 'conversation-ines-jonas-bea',
    artist: 'artist-ines-calderon',
    client: 'client-jonas-keller',
    third: 'client-bea-thornton',
    talks: [
      { talk: MATCHING, about: { motif: 'lowrider rose', placement: 'wrist', day: 'Saturday' } },
    ],
  },
  {
    id: 'conversation-jun-robin',
    artist: 'artist-jun-takahashi',
    client: 'client-robin-adeyemi',
    talks: [{ talk: CONSULTATION, about: { motif: 'koi', placement: 'arm', day: 'Friday' } }],
  },
  {
    id: 'conversation-wren-sasha',
    artist: 'artist-wren-halloran',
    client: 'client-sasha-whitfield',
    talks: [],
  },
];

/** Conversations of two or three people, with their messages. */
export function demoConversations(): DemoDocument[] {
  return CONVERSATIONS.flatMap(conversationDocuments);
}

/** Two weeks between talks; the last one was yesterday. */
const BETWEEN_TALKS = 14 * DAY;
const BETWEEN_LINES = HOUR / 2;

function conversationDocuments(conversation: DemoConversation): DemoDocument[] {
  const { id, artist, client, third, talks } = conversation;
  const participantIds = [artist, client, ...(third === undefined ? [] : [third])];
  const messages = talks.flatMap(({ talk, about }, talkNumber) => {
    const start = DEMO_NOW - DAY - (talks.length - 1 - talkNumber) * BETWEEN_TALKS;
    return talk.map(([speaker, line], n) => ({
      senderId: conversation[speaker],
      content: filled(line, about),
      // Every fifth message has the time of the one before it, so that the id decides their order.
      timestamp: start + (n - (n % 5 === 4 ? 1 : 0)) * BETWEEN_LINES,
    }));
  });
  const times = messages.map(({ timestamp }) => timestamp);
  return [
    {
      path: `conversations/${id}`,
      data: {
        participantIds,
        createdAt: times[0] ?? DEMO_NOW - DAY,
        updatedAt: times.at(-1) ?? DEMO_NOW - DAY,
      },
    },
    ...messages.map((message, index) => ({
      path: `conversations/${id}/messages/message-${threeDigits(index)}`,
      data: {
        ...message,
        // The last three messages are unread.
        readBy: index < messages.length - 3 ? participantIds : [message.senderId],
        type: 'text',
      },
    })),
  ];
}

/** A line with its placeholders filled in. */
function filled(line: string, { motif, placement, day }: Subject): string {
  return line
    .replaceAll('{motif}', motif)
    .replaceAll('{placement}', placement)
    .replaceAll('{day}', day);
}
