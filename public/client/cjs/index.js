"use strict";
/**
 * The typed client of the tattoo marketplace API, without any dependency: for browsers, React Native and Node. Its types
 * come from the API's own document (schema.d.ts).
 */
Object.defineProperty(exports, "__esModule", { value: true });
exports.MarketplaceError = void 0;
exports.createMarketplaceClient = createMarketplaceClient;
exports.firebaseToken = firebaseToken;
exports.pages = pages;
/** Each operation: its method, its path, and whether it needs a signed-in user. */
// Written by `npm run openapi`, from here …
const OPERATIONS = {
    artists: {
        list: ['GET', '/artists'],
    },
    availability: {
        updateAvailability: ['POST', '/availability/update-availability', 'signedIn'],
    },
    bookings: {
        deleteSession: ['POST', '/bookings/delete-session', 'signedIn'],
    },
    conversations: {
        getMessages: ['GET', '/conversations/get-messages', 'signedIn'],
    },
    flash: {
        listByArtist: ['GET', '/flash/artist/{id}/paginated'],
        markAsAvailable: ['PUT', '/flash/mark-as-available', 'signedIn'],
        markAsUnavailable: ['PUT', '/flash/mark-as-unavailable', 'signedIn'],
        reorder: ['PUT', '/flash/reorder', 'signedIn'],
    },
    gallery: {
        listByArtist: ['GET', '/gallery/artist/{artistId}/paginated'],
        removePhotos: ['DELETE', '/gallery/remove-photos', 'signedIn'],
    },
    notifications: {
        resetNewNotifications: ['POST', '/notifications/reset-new-notifications', 'signedIn'],
    },
    unavailableEvents: {
        editUnavailableEvent: ['PUT', '/unavailable-events/edit-unavailable-event', 'signedIn'],
    },
};
// … to here.
/** How long a call may take, its retries included, and how often it is tried again, unless the app says otherwise. */
const TIMEOUT_MS = 30_000;
const RETRIES = 3;
/** The wait before the first retry, in ms; each further one doubles it. */
const FIRST_WAIT_MS = 300;
function createMarketplaceClient(options) {
    const callable = (operation) => (input, callOptions) => call(operation, input, { ...options, ...callOptions });
    return mapValues(OPERATIONS, (group) => mapValues(group, callable));
}
function firebaseToken(auth) {
    return async () => {
        // After a reload, Firebase restores the session asynchronously: until then there is no current user.
        await auth.authStateReady?.();
        return auth.currentUser?.getIdToken();
    };
}
async function* pages(list, input, callOptions) {
    let { cursor } = input;
    let page;
    do {
        try {
            page = await list({ ...input, cursor }, callOptions);
        }
        catch (error) {
            // The API itself gave this cursor: if it refuses it now, that element has been removed.
            if (page !== undefined && error.status === 400)
                error.isCursorGone = true;
            throw error;
        }
        yield page;
        cursor = page.nextCursor;
    } while (cursor !== undefined);
}
class MarketplaceError extends Error {
    constructor(message, { status = 0, requestId, retryAfter, cause } = {}) {
        super(message, { cause });
        this.name = 'MarketplaceError';
        this.status = status;
        this.requestId = requestId;
        this.retryAfter = retryAfter;
        this.attempts = 1;
        this.isCursorGone = false;
    }
}
exports.MarketplaceError = MarketplaceError;
async function call(operation, input, options) {
    const { timeout = TIMEOUT_MS, retries = RETRIES, signal } = options;
    const limit = timeLimit(timeout, signal);
    try {
        for (let attempt = 1;; attempt++) {
            try {
                return await limit.within(send(operation, input, options, limit.signal));
            }
            catch (error) {
                if (!(error instanceof MarketplaceError))
                    throw error;
                error.attempts = attempt;
                const wait = Math.max((error.retryAfter ?? 0) * 1000, backoff(attempt));
                if (!isTransient(error) || attempt > retries || wait >= limit.msLeft())
                    throw error;
                await limit.sleep(wait);
            }
        }
    }
    finally {
        limit.clear();
    }
}
async function send([method, path, access], input, options, signal) {
    const { baseUrl, token, appCheckToken, fetch = globalThis.fetch } = options;
    const { target, body } = requestOf(method, path, input);
    const idToken = access === 'signedIn' ? await token?.() : undefined;
    const appToken = await appCheckToken?.();
    const headers = {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(idToken && { Authorization: `Bearer ${idToken}` }),
        ...(appToken && { 'X-Firebase-AppCheck': appToken }),
    };
    let response, text;
    try {
        response = await fetch(baseUrl.replace(/\/$/, '') + target, { method, headers, body, signal });
        text = await response.text();
    }
    catch (cause) {
        throw new MarketplaceError('The API could not be reached.', { cause });
    }
    const data = parsed(text);
    if (response.ok && data !== undefined)
        return data;
    const { status } = response;
    throw new MarketplaceError(data?.message ?? `The API answered ${status}, and not in JSON.`, {
        status,
        requestId: response.headers.get('X-Request-Id') ?? undefined,
        retryAfter: secondsOf(response.headers.get('Retry-After')),
    });
}
/** The input fills the path's parameters; the rest is the query of a GET, and the body of everything else. */
function requestOf(method, path, input = {}) {
    const rest = { ...input };
    const target = path.replace(/{(\w+)}/g, (_, name) => {
        const value = rest[name];
        delete rest[name];
        return encodeURIComponent(value);
    });
    // An operation without input has no body either.
    if (method !== 'GET')
        return { target, body: input && JSON.stringify(rest) };
    // Not by URLSearchParams: React Native's cannot do this.
    const query = Object.entries(rest)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&');
    return { target: query === '' ? target : `${target}?${query}` };
}
function parsed(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
/** The seconds of a `Retry-After`, which is a number of seconds or a date. */
function secondsOf(header) {
    if (header === null)
        return undefined;
    const seconds = Number(header);
    const wait = Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
    return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
/** Lost connections, too many requests, and a service that cannot answer right now. */
function isTransient({ status }) {
    return status === 0 || status === 429 || status === 503;
}
/** At random, so that clients that failed together do not come back together. */
function backoff(attempt) {
    return FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
}
/** Ends the work of a call when its time is up or the caller aborts it. React Native has no AbortSignal.timeout or any. */
function timeLimit(ms, callerSignal) {
    const controller = new AbortController();
    const ends = Date.now() + ms;
    let end;
    const over = new Promise((_, reject) => {
        end = (reason) => {
            reject(reason);
            controller.abort();
        };
    });
    // It may end while nothing waits for it.
    over.catch(() => { });
    const timer = setTimeout(() => end(timedOut(ms)), ms);
    const onAbort = () => end(callerSignal.reason ?? new Error('The call was aborted.'));
    if (callerSignal?.aborted)
        onAbort();
    else
        callerSignal?.addEventListener('abort', onAbort);
    const within = (work) => Promise.race([over, work]);
    return {
        signal: controller.signal,
        within,
        msLeft: () => ends - Date.now(),
        async sleep(wait) {
            let wake;
            const slept = new Promise((resolve) => {
                wake = setTimeout(resolve, wait);
            });
            await within(slept).finally(() => clearTimeout(wake));
        },
        clear() {
            clearTimeout(timer);
            callerSignal?.removeEventListener('abort', onAbort);
        },
    };
}
function timedOut(ms) {
    return new MarketplaceError(`The API did not answer within ${ms / 1000} s.`);
}
function mapValues(object, map) {
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
