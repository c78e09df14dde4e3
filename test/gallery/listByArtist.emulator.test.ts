import { storedPhoto } from '../support/factories.ts';
import { behavesAsVisibleList } from '../support/visibleList.ts';

describe('GET /gallery/artist/{artistId}/paginated', () => {
  behavesAsVisibleList({
    collection: 'gallery',
    elements: 'photos',
    stored: storedPhoto,
    times: ['uploadedAt', 'urlRefreshedAt'],
  });
});
