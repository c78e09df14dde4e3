import { storedPhoto } from '../support/factories.ts';
import { answersAsPublicEndpoint } from '../support/publicEndpoint.ts';
import { behavesAsVisibleList } from '../support/visibleList.ts';

describe('GET /gallery/artist/{artistId}/paginated', () => {
  behavesAsVisibleList({
    collection: 'gallery',
    elements: 'photos',
    stored: storedPhoto,
    times: ['uploadedAt', 'urlRefreshedAt'],
  });

  answersAsPublicEndpoint('gallery-listByArtist', '/gallery/artist/artist-alice/paginated');
});
