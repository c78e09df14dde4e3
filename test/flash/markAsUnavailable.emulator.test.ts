import { marksListings } from '../support/marking.ts';

describe('PUT /flash/mark-as-unavailable', () => {
  marksListings('/flash/mark-as-unavailable', false);
});
