/**
 * The deploy map: `flash.listByArtist` here is deployed as the function `flash-listByArtist`.
 */
import { list } from './artists/list.ts';
import { listByArtist as listFlashByArtist } from './flash/listByArtist.ts';
import { listByArtist as listGalleryByArtist } from './gallery/listByArtist.ts';

export const artists = { list };
export const flash = { listByArtist: listFlashByArtist };
export const gallery = { listByArtist: listGalleryByArtist };
