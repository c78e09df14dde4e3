import { storedListing } from '../support/factories.ts';
import { behavesAsVisibleList } from '../support/visibleList.ts';
import { respondsAsPublicEndpoint } from '../support/publicEndpoint.ts';

describe('GET /flash/artist/{id}/paginated', () => {
  behavesAsVisibleList(
    {
      collection: 'flash',
      elements: 'flash',
      stored: storedListing,
      times: ['updatedAt', 'urlRefreshedAt'],
    },
    true,
  );

  respondsAsPublicEndpoint('flash-listByArtist', '/flash/artist/artist-alice/paginated');
});
