import type { Availability, Day, Input } from '@tattoo-marketplace/client';

/** The content of `/demo/local.json`: the demo's accounts, and data for which the API has no list. */
export interface DemoPageData {
  /** `host:port` of the Auth emulator. */
  readonly authEmulator: string;
  readonly accounts: readonly Account[];
  /** The names of all users, by id. */
  readonly names: Readonly<Record<string, string>>;
}

/** A demo account; its uid is the id of its user document. */
export interface DemoAccount {
  readonly uid: string;
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
  /** The role, and the interesting data of the account. */
  readonly note: string;
}

/** A demo account with the data that belongs to it. */
export interface Account extends DemoAccount {
  readonly conversations: readonly { readonly id: string; readonly title: string }[];
  /** Artists have a schedule. */
  readonly schedule?: Schedule | undefined;
  readonly events: readonly UnavailableEvent[];
  readonly bookings: readonly Booking[];
}

export type Schedule = Availability & {
  weeklySlots: Partial<Record<Day, readonly Slot[]>>;
  updatedAt: number;
};

/** The hours of a day: `10:00`. */
export type Slot = { readonly startTime: string; readonly endTime: string };

export type UnavailableEvent = Input<'unavailableEventsEditUnavailableEvent'>;

export interface Booking {
  readonly id: string;
  readonly clientId: string;
  readonly sessions: readonly {
    readonly sessionNumber: number;
    readonly startTime: number;
    readonly notes: string;
  }[];
}
