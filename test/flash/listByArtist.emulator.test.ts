import { storedListing } from '../support/factories.ts';
import { behavesAsVisibleList } from '../support/visibleList.ts';
import { answersAsPublicEndpoint } from '../support/publicEndpoint.ts';

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

  answersAsPublicEndpoint('flash-listByArtist', '/flash/artist/artist-alice/paginated');
});
