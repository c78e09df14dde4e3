import { useStubFirestore, respondQuery } from '../support/google/stubFirestore.ts';
import { listVerifiedArtists } from '../../functions/src/artists/verifiedArtist.ts';
import { publicContact } from '../../functions/src/parameters.ts';

const firestore = useStubFirestore();

const STORED = {
  email: { stringValue: 'mara@example.com' },
  phoneNumber: { stringValue: '555-0100' },
  preferences: {
    mapValue: {
      fields: {
        integrations: {
          mapValue: {
            fields: {
              paymentProvider: { mapValue: { fields: { accountId: { stringValue: 'acct' } } } },
            },
          },
        },
      },
    },
  },
};

/** Lists the stored artist, and returns its contact details and the field paths that the query selects. */
async function listArtist() {
  firestore.setResponses(respondQuery({ 'users/mara': STORED }));
  const [[artist] = []] = await firestore.runInRequest(() =>
    Array.fromAsync(listVerifiedArtists()),
  );
  const query = firestore.requests[0]?.body as {
    structuredQuery: { select: { fields: { fieldPath: string }[] } };
  };
  return {
    email: artist && 'email' in artist ? artist.email : undefined,
    phoneNumber: artist && 'phoneNumber' in artist ? artist.phoneNumber : undefined,
    paymentProvider: artist?.preferences.integrations.paymentProvider,
    selected: query.structuredQuery.select.fields.map(({ fieldPath }) => fieldPath),
  };
}

const CONTACT = ['email', 'phoneNumber', 'preferences.integrations.paymentProvider.accountId'];
const SWITCHES = { isEnabled: false, isChargesEnabled: false, isPayoutsEnabled: false };

test('the artist list has contact details by default', async () => {
  const { selected, ...contact } = await listArtist();

  expect(contact).toEqual({
    email: 'mara@example.com',
    phoneNumber: '555-0100',
    paymentProvider: { ...SWITCHES, accountId: 'acct' },
  });
  expect(selected).toEqual(expect.arrayContaining(CONTACT));
});

test('with PUBLIC_CONTACT=false the artist list neither reads nor has contact details', async () => {
  jest.spyOn(publicContact, 'value').mockReturnValue(false);

  const { selected, ...contact } = await listArtist();

  expect(contact).toEqual({ paymentProvider: SWITCHES });
  expect(selected.filter((path) => CONTACT.includes(path))).toEqual([]);
  expect(selected).toContain('preferences.integrations.paymentProvider.isEnabled');
});
