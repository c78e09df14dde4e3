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
/** Method and path of each operation, whether it needs a signed-in user, and whether it must not be repeated. */
// Written by `npm run generate`, from here …
const OPERATIONS = {
    artists: {
        list: ['GET', '/artists'],
    },
    availability: {
        updateAvailability: ['POST', '/availability/update-availability', 'signedIn'],
    },
    bookings: {
        deleteSession: ['POST', '/bookings/delete-session', 'signedIn', 'once'],
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
/**
 * How often one `next()` of `pages` starts again from the first page, and the wait before the first time, in ms. The
 * wait doubles each time: together they are longer than a deployment caches a page by default.
 */
const RESTARTS = 4;
const FIRST_RESTART_WAIT_MS = 1000;
/** What setTimeout can wait for, in ms: it fires at once if the time is longer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;
function createMarketplaceClient(options) {
    const baseUrl = checkedBaseUrl(options);
    const getIdToken = sharingRenewals(options.token);
    const callable = (operation) => (input, callOptions) => call(operation, input, { ...options, baseUrl, getIdToken, ...defined(callOptions) });
    return mapValues(OPERATIONS, (group) => mapValues(group, callable));
}
function firebaseToken(auth) {
    return async (forceRefresh) => {
        // After a page reload there is no current user until Firebase has restored the session.
        await auth.authStateReady?.();
        return auth.currentUser?.getIdToken(forceRefresh);
    };
}
function pages(list, input, callOptions) {
    /** The ids of all elements that were given to the caller. */
    const given = new Set();
    /** The cursors of all pages that were read since the last start. */
    const followed = new Set();
    let { cursor } = input;
    let isOver = false;
    let latest = Promise.resolve();
    const read = async () => {
        let restarts = 0;
        while (!isOver) {
            let page;
            try {
                // Cached pages of different age may point at each other.
                if (followed.has(cursor))
                    throw cursorRepeated();
                page = await list({ ...input, cursor }, callOptions);
            }
            catch (error) {
                const canRestart = error.code === 'cursor-not-found' && followed.size > 0;
                if (!canRestart || restarts === RESTARTS)
                    throw error;
                // A cache may still have the page with this cursor.
                await pause(FIRST_RESTART_WAIT_MS * 2 ** restarts++, callOptions?.signal);
                cursor = input.cursor;
                followed.clear();
                continue;
            }
            followed.add(cursor);
            cursor = page.nextCursor;
            isOver = cursor === undefined;
            const value = withoutGiven(page, given);
            if (value !== undefined)
                return { value, done: false };
        }
        return { value: undefined, done: true };
    };
    return {
        // One read at a time, whether or not the one before it succeeds.
        next: () => (latest = latest.then(read, read)),
        [Symbol.asyncIterator]() {
            return this;
        },
    };
}
class MarketplaceError extends Error {
    constructor(message, { status = 0, code = status === 0 ? 'no-response' : 'platform', ...details } = {}) {
        super(message, { cause: details.cause });
        this.name = 'MarketplaceError';
        this.status = status;
        this.code = code;
        this.requestId = details.requestId;
        this.retryAfter = details.retryAfter;
        this.attempts = 1;
        this.mayHaveSucceeded = false;
    }
}
exports.MarketplaceError = MarketplaceError;
/** Calls an operation: sends it, and retries it if that is of use and does no harm. */
async function call(operation, input, options) {
    const { timeout = TIMEOUT_MS, retries = RETRIES, signal } = options;
    const [method, , , isOnce] = operation;
    const limit = timeLimit(timeout, signal);
    let attempts = 0;
    let isInDoubt = false;
    let failure, renewal;
    try {
        for (let retry = 0;;) {
            let request;
            try {
                request = await limit.within(requestOf(operation, input, options, renewal));
                attempts++;
                return await limit.within(send(request, options, limit.signal));
            }
            catch (error) {
                if (!(error instanceof MarketplaceError)) {
                    if (!isInDoubt || signal?.aborted)
                        throw error;
                    // There is no token for another attempt, but the caller must learn what an earlier one may have done.
                    throw Object.assign(failure, { cause: error });
                }
                failure = error;
                isInDoubt ||= request !== undefined && method !== 'GET' && mayBeDone(request, error);
                error.attempts = attempts;
                error.mayHaveSucceeded = isInDoubt;
                if (error.status === 401 && request?.renew) {
                    // The token may have been revoked, or the clock of this device be wrong. Nothing was done.
                    renewal = request.renew();
                    continue;
                }
                const wait = Math.max((error.retryAfter ?? 0) * 1000, backoff(retry));
                const isUseful = TRANSIENT.includes(error.status) && !(isOnce && isInDoubt);
                if (!isUseful || ++retry > retries || wait >= limit.msLeft())
                    throw error;
                await limit.sleep(wait);
            }
        }
    }
    finally {
        limit.clear();
    }
}
/** The statuses after which a request is sent again; 0 is a lost connection. */
const TRANSIENT = [0, 408, 429, 502, 503, 504];
/** Whether a request that failed may have been carried out all the same. */
function mayBeDone({ isOffline }, { status, code, cause }) {
    if (status === 0)
        return !isOffline && !NOT_SENT.test(cause?.cause?.code);
    if (status === 408)
        return code !== 'request-timeout';
    if (status === 503)
        return code !== 'unavailable';
    return status < 400 || status >= 500;
}
/** What Node says if nothing was sent: there was no connection, or the server's certificate was refused. */
const NOT_SENT = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$|CERT|_LEAF_/;
/** The base URL without a slash at its end. Throws if no request could be sent to it. */
function checkedBaseUrl({ baseUrl, fetch } = {}) {
    // A browser knows what a path is relative to, and so may a replacement of fetch.
    const canBePath = fetch !== undefined || globalThis.location !== undefined;
    const isAddress = /^https?:\/\/[^/?#\s]+[^?#\s]*$/.test(baseUrl) ||
        (canBePath && /^\/(?!\/)[^?#\s]*$/.test(baseUrl));
    if (isAddress)
        return String(baseUrl).replace(/\/$/, '');
    throw new TypeError(`baseUrl must be the address of the API, such as https://PROJECT.web.app/api, not ${JSON.stringify(baseUrl)}.`);
}
/**
 * Returns ID tokens, each with a function that renews it. Calls that are refused with the same token share its renewal,
 * unless they got the token after that was done.
 */
function sharingRenewals(source = () => undefined) {
    /** The latest renewal: which token it replaces, the new one, until when it is shared, and whether it is done. */
    let latest;
    const renewalOf = (token) => {
        // If the source hangs, it is asked again.
        const renewal = { token, until: Date.now() + TIMEOUT_MS, isDone: false };
        renewal.renewed = (async () => ({ idToken: await source(true) }))();
        renewal.renewed.then(() => (renewal.isDone = true), () => (renewal.until = 0));
        return renewal;
    };
    return async () => {
        const past = latest?.isDone ? latest : undefined;
        const idToken = await source(false);
        const renew = () => {
            const isShared = latest !== past && latest.token === idToken && Date.now() < latest.until;
            if (!isShared)
                latest = renewalOf(idToken);
            return latest.renewed;
        };
        return { idToken, renew: idToken && renew };
    };
}
/**
 * The URL and the options of `fetch` for a call, how to renew its token, and whether nothing can be sent, because the
 * browser is offline.
 */
async function requestOf([method, path, access], input, options, renewal) {
    const { baseUrl, getIdToken, appCheckToken } = options;
    const { target, body } = targetOf(method, path, input);
    const { idToken, renew } = access === 'signedIn' ? await (renewal ?? getIdToken()) : {};
    const appToken = await appCheckToken?.();
    const headers = {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(idToken && { Authorization: `Bearer ${idToken}` }),
        ...(appToken && { 'X-Firebase-AppCheck': appToken }),
    };
    // Throws if a token is no header. `fetch` would fail as if the connection were lost.
    new Headers(headers);
    const isOffline = globalThis.navigator?.onLine === false;
    return { url: baseUrl + target, init: { method, headers, body }, renew, isOffline };
}
async function send({ url, init }, { fetch = globalThis.fetch }, signal) {
    const [address] = url.split('?');
    let response, text;
    try {
        response = await fetch(url, { ...init, signal });
        text = await response.text();
    }
    catch (cause) {
        throw new MarketplaceError(`${address} could not be reached.`, { cause });
    }
    const data = parsed(text);
    if (response.ok && data !== undefined)
        return data;
    const { status } = response;
    const header = (name) => response.headers.get(name) ?? undefined;
    const code = header('X-Error-Code');
    const advice = status < 500 ? ' Is `baseUrl` the address of the API?' : '';
    const foreign = `${address} responded with ${status}, but not as the API does.${advice}`;
    throw new MarketplaceError(code && data?.message ? data.message : foreign, {
        status,
        code,
        requestId: header('X-Request-Id'),
        retryAfter: secondsOf(header('Retry-After')),
    });
}
/** The path, query and body for an input. */
function targetOf(method, path, input) {
    const rest = { ...input };
    const target = path.replace(/{(\w+)}/g, (_, name) => {
        const id = String(rest[name] ?? '');
        delete rest[name];
        // Without an id it would be another path, and a URL cannot have a part like `..`.
        if (/^\.{0,2}$/.test(id))
            throw new TypeError(`${name} must be an id.`);
        return encodeURIComponent(id);
    });
    // An operation without input has no body.
    if (method !== 'GET')
        return { target, body: input && JSON.stringify(rest) };
    // React Native's URLSearchParams is incomplete.
    const query = Object.entries(defined(rest))
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&');
    return { target: query === '' ? target : `${target}?${query}` };
}
/**
 * A page without the elements that the caller already has: after a new start, or because they have moved meanwhile.
 * Undefined if no other is left.
 */
function withoutGiven(page, given) {
    const [name, elements = []] = Object.entries(page).find(([, value]) => Array.isArray(value)) ?? [];
    const others = elements.filter(({ id }) => !given.has(id));
    for (const { id } of others)
        given.add(id);
    if (others.length === elements.length)
        return page;
    return others.length === 0 ? undefined : { ...page, [name]: others };
}
function cursorRepeated() {
    return new MarketplaceError('The list has changed: its pages lead in a circle.', {
        status: 400,
        code: 'cursor-not-found',
    });
}
function parsed(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
/** The number of seconds of a `Retry-After` header, which is a number or a date. */
function secondsOf(header) {
    if (header === undefined)
        return undefined;
    const seconds = Number(header);
    const wait = Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
    return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
/** A random wait in ms, so that clients that failed at the same time do not return at the same time. */
function backoff(retry) {
    return FIRST_WAIT_MS * 2 ** retry * (0.5 + Math.random() / 2);
}
/** Waits. Rejects with the reason of the signal if it aborts. */
async function pause(ms, signal) {
    const limit = timeLimit(Infinity, signal);
    await limit.sleep(ms).finally(limit.clear);
}
/**
 * The time limit of a call: `within` rejects when it is over or the caller's signal aborts, and `signal` then aborts
 * what still runs. By a timer, because React Native lacks AbortSignal.timeout and AbortSignal.any.
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
    const timer = ms <= LONGEST_WAIT_MS ? setTimeout(() => end(timedOut(ms)), ms) : undefined;
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
                wake = setTimeout(resolve, Math.min(wait, LONGEST_WAIT_MS));
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
/** The properties that have a value: an undefined one does not replace a default. */
function defined(object = {}) {
    return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
function mapValues(object, map) {
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
