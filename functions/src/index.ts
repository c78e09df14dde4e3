/** The deploy map: `flash.listByArtist` is deployed as the function `flash-listByArtist`. */
import { unknownPath } from '@tattoo-marketplace/endpoints';
import { list } from './artists/list.ts';
import { updateAvailability } from './availability/updateAvailability.ts';
import { deleteSession } from './bookings/deleteSession.ts';
import { getMessages } from './conversations/getMessages.ts';
import { listByArtist as listFlashByArtist } from './flash/listByArtist.ts';
import { markAsAvailable } from './flash/markAsAvailable.ts';
import { markAsUnavailable } from './flash/markAsUnavailable.ts';
import { reorder } from './flash/reorder.ts';
import { listByArtist as listGalleryByArtist } from './gallery/listByArtist.ts';
import { removePhotos } from './gallery/removePhotos.ts';
import { resetNewNotifications } from './notifications/resetNewNotifications.ts';
import { editUnavailableEvent } from './unavailableEvents/editUnavailableEvent.ts';

export const artists = { list };
export const availability = { updateAvailability };
export const bookings = { deleteSession };
export const conversations = { getMessages };
export const flash = {
  listByArtist: listFlashByArtist,
  markAsAvailable,
  markAsUnavailable,
  reorder,
};
export const gallery = { listByArtist: listGalleryByArtist, removePhotos };
export const notifications = { resetNewNotifications };
export const unavailableEvents = { editUnavailableEvent };

export { unknownPath };
