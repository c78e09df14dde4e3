"use strict";
/**
 * The typed client of the tattoo marketplace API for browsers, React Native and Node, without dependencies. Its types
 * are generated from the OpenAPI document (schema.d.ts).
 */
Object.defineProperty(exports, "__esModule", { value: true });
exports.MarketplaceError = void 0;
exports.createMarketplaceClient = createMarketplaceClient;
exports.firebaseToken = firebaseToken;
exports.pages = pages;
/** Method and path of each operation, and whether it needs a signed-in user. */
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
/** The default timeout of a call, including retries, and the default number of retries. */
const TIMEOUT_MS = 30_000;
const RETRIES = 3;
/** The wait before the first retry, in ms. It doubles with each retry. */
const FIRST_WAIT_MS = 300;
function createMarketplaceClient(options) {
    const callable = (operation) => (input, callOptions) => call(operation, input, { ...options, ...callOptions });
    return mapValues(OPERATIONS, (group) => mapValues(group, callable));
}
function firebaseToken(auth) {
    return async () => {
        // After a page reload there is no current user until Firebase has restored the session.
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
            // This cursor came from the API. If it is invalid now, its element has been removed.
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
    throw new MarketplaceError(data?.message ?? `The API responded with ${status}, but not with JSON.`, {
        status,
        requestId: response.headers.get('X-Request-Id') ?? undefined,
        retryAfter: secondsOf(response.headers.get('Retry-After')),
    });
}
/** Fills the path parameters from the input. The rest is the query of a GET, or the body of other methods. */
function requestOf(method, path, input = {}) {
    const rest = { ...input };
    const target = path.replace(/{(\w+)}/g, (_, name) => {
        const value = rest[name];
        delete rest[name];
        return encodeURIComponent(value);
    });
    // An operation without input has no body.
    if (method !== 'GET')
        return { target, body: input && JSON.stringify(rest) };
    // React Native's URLSearchParams is incomplete.
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
/** Parses `Retry-After`, which is a number of seconds or a date. */
function secondsOf(header) {
    if (header === null)
        return undefined;
    const seconds = Number(header);
    const wait = Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
    return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
/** Whether a retry may help: lost connection or timeout, too many requests, service unavailable. */
function isTransient({ status }) {
    return status === 0 || status === 429 || status === 503;
}
/** Random, so that clients that failed together do not retry together. */
function backoff(attempt) {
    return FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
}
/**
 * Ends a call at its timeout or when the caller aborts it. React Native lacks AbortSignal.timeout and AbortSignal.any.
 */
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
    // If nothing waits for it, the rejection must not count as unhandled.
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
    return new MarketplaceError(`The API did not respond within ${ms / 1000} s.`);
}
function mapValues(object, map) {
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
