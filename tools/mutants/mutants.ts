/** A bug that the contract should find: one or two edits of the source. */
export interface Mutant {
  readonly name: string;
  /** A part of the path of the file, if another file has the same text. */
  readonly in?: string;
  /** Each text is in the source exactly once. White space in it matches any other. */
  readonly edits: readonly (readonly [text: string, replacement: string])[];
  /** True if faults of Firestore may reveal the bug. */
  readonly faults?: true;
}

const EACH_ALONE = [
  'const conflict = await commitUntilKnown(writes);',
  'let conflict; for (const write of writes) conflict ??= await commitUntilKnown([write]);',
] as const;
const NO_VERSION = [
  'currentDocument: { updateTime: update.updateTime }',
  'currentDocument: { exists: true }',
] as const;

export const MUTANTS: readonly Mutant[] = [
  // Models.
  {
    name: 'a01 the flash list has hidden items',
    edits: [
      [
        "item: VisibleListing, filterBy: ['artistId'], where: { isVisible: true },",
        "item: FlashListing, filterBy: ['artistId'],",
      ],
    ],
  },
  {
    name: 'a02 the gallery list has hidden items',
    edits: [
      [
        "item: VisiblePhoto, filterBy: ['artistId'], where: { isVisible: true },",
        "item: GalleryPhoto, filterBy: ['artistId'],",
      ],
    ],
  },
  {
    name: 'a03 flash is sorted by createdAt',
    in: 'flash',
    edits: [["orderBy: 'order'", "orderBy: 'createdAt'"]],
  },
  {
    name: 'a04 messages are oldest first',
    edits: [["orderBy: 'timestamp', descending: true", "orderBy: 'timestamp'"]],
  },
  {
    name: 'a05 reorder rounds the order',
    edits: [['order: orderById.get(id)', 'order: Math.round(orderById.get(id) ?? 0)']],
  },
  {
    name: 'a06 updatedCount counts repetitions',
    edits: [['return documents.length;', 'return flashIds.length;']],
  },
  {
    name: 'a07 markAsUnavailable marks as available',
    edits: [
      [
        'setListingsAvailable(body.flashIds, false, caller.uid)',
        'setListingsAvailable(body.flashIds, true, caller.uid)',
      ],
    ],
  },
  {
    name: 'a08 deleteSession has no owner check',
    edits: [['assertOwner(stored[owner], caller, document);', '']],
  },
  {
    name: 'a09 deleteSession removes all with the number',
    edits: [
      [
        'sessions.toSpliced(index, 1)',
        'sessions.filter(({ mapValue }) => decodePrimitive(mapValue?.fields?.sessionNumber) !== sessionNumber)',
      ],
    ],
  },
  {
    name: 'a10 deleteSession removes the last with the number',
    edits: [['sessions.findIndex(', 'sessions.findLastIndex(']],
  },
  {
    name: 'a11 reset leaves a missing counter',
    edits: [
      [
        'decodePrimitive(newNotificationsCount) === 0',
        '(decodePrimitive(newNotificationsCount) ?? 0) === 0',
      ],
    ],
  },
  {
    name: 'a12 reset accepts a missing user',
    edits: [
      ["throw new HttpsError('not-found', 'There is no profile for this account.');", 'return;'],
    ],
  },
  {
    name: 'a13 availability takes any artistId',
    edits: [['if (schedule.artistId !== caller)', 'if (false)']],
  },
  {
    name: 'a14 indefinitely keeps the end',
    edits: [["dateRangeType === 'indefinitely' ? undefined : effectiveUntil", 'effectiveUntil']],
  },
  {
    name: 'a15 rollingDays up to 365',
    edits: [['.max(366, ROLLING_DAYS_ERROR)', '.max(365, ROLLING_DAYS_ERROR)']],
  },
  {
    name: 'a16 the end may be the start of a schedule',
    edits: [['effectiveUntil <= effectiveFrom', 'effectiveUntil < effectiveFrom']],
  },
  {
    name: 'a17 an event may end when it starts',
    edits: [['=> endTime > startTime', '=> endTime >= startTime']],
  },
  { name: 'a18 titles of 199', edits: [['MAX_TITLE_LENGTH = 200', 'MAX_TITLE_LENGTH = 199']] },
  {
    name: 'a19 499 ids',
    edits: [['MAX_DOCUMENTS_PER_REQUEST = 500', 'MAX_DOCUMENTS_PER_REQUEST = 499']],
  },
  {
    name: 'a20 any start of a uid is a participant',
    edits: [['value.includes(caller)', 'value.some((uid) => caller.startsWith(String(uid)))']],
  },
  {
    name: 'a21 studioInfo leaves',
    edits: [['omit({ clientInfo: true, studioInfo: true })', 'omit({ clientInfo: true })']],
  },
  {
    name: 'a22 another default of a setting',
    edits: [
      [
        ".default(false) .describe('True if the user wants marketing",
        ".default(true) .describe('True if the user wants marketing",
      ],
    ],
  },
  { name: 'a23 reorder takes a listing twice', edits: [['if (seen.has(id))', 'if (false)']] },
  {
    name: 'a24 an event keeps its date',
    edits: [
      [
        "documents: [{ id, field: 'id' }], caller }, () => fields)",
        "documents: [{ id, field: 'id' }], caller }, () => { const { date, ...others } = fields; return others; })",
      ],
    ],
  },
  {
    name: 'a25 50 messages at most',
    edits: [['maxLimit: 100, defaultLimit: 50', 'maxLimit: 50, defaultLimit: 50']],
  },
  {
    name: 'a26 a gallery page has 25 by default',
    in: 'gallery',
    edits: [['maxLimit: 50, defaultLimit: 20', 'maxLimit: 50, defaultLimit: 25']],
  },
  // The package of collections.
  {
    name: 'a27 changes have no owner check',
    edits: [['assertOwner(stored.fields[owner], caller, requested);', '']],
  },
  {
    name: 'a28 ownership is checked before existence',
    edits: [
      [
        'if (stored === undefined) throw missingDocumentError(requested);',
        'if (stored === undefined) throw missingDocumentError(requested); assertOwner(stored.fields[owner], caller, requested);',
      ],
    ],
  },
  {
    name: 'a29 no updatedAt',
    edits: [['...change, ...updatedAt }', '...change }']],
  },
  {
    name: 'a30 changes of the first for all',
    edits: [['changes[index] ?? {}', 'changes[0] ?? {}']],
  },
  {
    name: 'a31 times are always numbers',
    edits: [
      [
        'encoded[path] = millisToTimestamp(millis) ?? changes[path];',
        'encoded[path] = changes[path];',
      ],
    ],
  },
  {
    name: 'a32 a missing time beside both formats is a Timestamp',
    edits: [['formats.every(', 'formats.some(']],
  },
  {
    name: 'a33 times are rounded down',
    edits: [['Math.round(valueToMillis(', 'Math.floor(valueToMillis(']],
  },
  {
    name: 'a34 null is a value',
    edits: [['value !== undefined && value.nullValue !== null &&', 'value !== undefined &&']],
  },
  {
    name: 'a35 defaults of inner settings are missing',
    edits: [
      [
        ".prefault({}) .describe('The booking notifications",
        ".optional() .describe('The booking notifications",
      ],
    ],
  },
  {
    name: 'a36 undefined fields stay',
    edits: [
      [
        'Object.entries(changes).map(([field, value]) => [',
        'Object.entries(changes).filter(([, value]) => value !== undefined).map(([field, value]) => [',
      ],
    ],
  },
  {
    name: 'a37 wrong items of lists are null',
    edits: [['items.filter((item) => item !== undefined)', 'items.map((item) => item ?? null)']],
  },
  {
    name: 'a38 ids are not made unique',
    edits: [
      [
        'return [...documentsById.values()];',
        'return ids.map((id, index) => ({ id, field: `${field}[${index}]` }));',
      ],
    ],
  },
  {
    name: 'a39 a Timestamp is rounded to the next ms',
    edits: [
      [
        "Date.parse(timestampValue.replace(/(\\.\\d{3})\\d+/, '$1'))",
        'Math.round(Date.parse(timestampValue) + Number(`0.${/\\.\\d{3}(\\d*)/.exec(timestampValue)?.[1] || 0}`))',
      ],
    ],
  },
  {
    name: 'a40 schedule keeps weeklySlots',
    edits: [['weeklySlots: parseWeeklySlots(weeklySlots),', '']],
  },
  // Commits.
  { name: 'b01 changes have no version', faults: true, edits: [NO_VERSION] },
  {
    name: 'b02 deletions have no version',
    faults: true,
    edits: [
      [
        'delete: toResourceName(documentsRoot, path), currentDocument: { updateTime }',
        'delete: toResourceName(documentsRoot, path)',
      ],
    ],
  },
  {
    name: 'b03 changeDocument has no version',
    faults: true,
    edits: [
      [
        '[{ update: document, changes }]',
        '[{ update: { ...document, updateTime: undefined as never }, changes }]',
      ],
    ],
  },
  { name: 'b04 each document in a commit of its own', faults: true, edits: [EACH_ALONE] },
  {
    name: 'b05 a conflict is taken for success',
    faults: true,
    edits: [['if (conflict === undefined) return;', 'return;']],
  },
  {
    name: 'b06 with an unknown outcome, a conflict is planned anew',
    faults: true,
    edits: [["if (type === 'conflict' && outcomeUnknown) throw unavailableError(error);", '']],
  },
  {
    name: 'b07 with an unknown outcome, a conflict is success',
    faults: true,
    edits: [
      [
        "if (type === 'conflict' && outcomeUnknown) throw unavailableError(error);",
        "if (type === 'conflict' && outcomeUnknown) return undefined;",
      ],
    ],
  },
  {
    name: 'b08 unavailable although the outcome is unknown',
    faults: true,
    edits: [['context.mayHaveWritten = outcomeUnknown;', 'context.mayHaveWritten = false;']],
  },
  {
    name: 'b09 a lost response counts as no effect',
    faults: true,
    edits: [
      [
        "throw delivery.mayHaveArrived ? incompleteResponseError('The connection failed.', cause) : notSentError(cause);",
        'throw notSentError(cause);',
      ],
    ],
  },
  {
    name: 'b10 after a conflict it plans with what it read first',
    faults: true,
    edits: [
      [
        'for (let attempt = 1; ; attempt += 1) { const writes = await planWrites();',
        'const first = planWrites(); for (let attempt = 1; ; attempt += 1) { const writes = await first;',
      ],
    ],
  },
  {
    name: 'b11 a conflict is an error',
    faults: true,
    edits: [['await waitBeforeRetry(conflict);', 'throw conflict;']],
  },
  {
    name: 'b12 each document in a commit of its own, without version',
    faults: true,
    edits: [EACH_ALONE, NO_VERSION],
  },
  {
    name: 'b13 INTERNAL proves that nothing was done',
    faults: true,
    edits: [
      ["'FAILED_PRECONDITION', 'NOT_FOUND', 'ABORTED',", "'FAILED_PRECONDITION', 'INTERNAL',"],
    ],
  },
  {
    name: 'b14 a cut response of a read is taken as it is',
    faults: true,
    edits: [['if (!names.every((name) => byName.has(name))) return undefined;', '']],
  },
  // Pages.
  {
    name: 'c01 hasMore too early',
    edits: [['documents.length === requestedSize)', 'documents.length >= requestedSize - 1)']],
  },
  {
    name: 'c02 one item too many',
    edits: [['documents.slice(0, requestedSize - 1)', 'documents']],
  },
  {
    name: 'c03 total of the page',
    edits: [['Math.max(total, page.items.length)', 'page.items.length']],
  },
  {
    name: 'c04 a cursor of any owner',
    edits: [['([field, value]) => decodePrimitive(fields[field]) === value', '() => true']],
  },
  {
    name: 'c05 a cursor without position',
    edits: [['&& matchesFilters && orderBy in fields', '&& matchesFilters']],
  },
  { name: 'c06 nextCursor is the first', edits: [['items.at(-1)', 'items[0]']] },
  { name: 'c07 the cursor is repeated', edits: [['before: false', 'before: true']] },
  {
    name: 'c08 a hidden cursor is rejected',
    edits: [
      [
        'const filters = Object.entries(buildFilters(list, params)); const mask = [...filterBy, orderBy];',
        'const filters = Object.entries({ ...buildFilters(list, params), ...list.where }); const mask = [...filters.map(([name]) => name), orderBy];',
      ],
    ],
  },
  {
    name: 'c09 a list of any owner',
    edits: [['where: { ...buildFilters(list, params), ...where }', 'where']],
  },
  {
    name: 'c10 equal positions are skipped',
    edits: [['values: [...keys.map(toGoogleValue), name]', 'values: keys.map(toGoogleValue)']],
  },
  {
    name: 'c11 the look-ahead is missing',
    edits: [['findFitting(query, limit + 1, after', 'findFitting(query, limit, after']],
  },
  {
    name: 'c12 a cursor loses microseconds',
    edits: [
      [
        '[fields[orderBy] ?? { nullValue: null }]',
        "[JSON.parse(JSON.stringify(fields[orderBy] ?? { nullValue: null }).replace(/(\\.\\d{3})\\d+Z/, '$1Z')) as Value]",
      ],
    ],
  },
  {
    name: 'c13 a cursor with a list as its position continues after null',
    edits: [
      [
        '[fields[orderBy] ?? { nullValue: null }]',
        '[fields[orderBy]?.arrayValue ? { nullValue: null } : (fields[orderBy] ?? { nullValue: null })]',
      ],
    ],
  },
  // Mutants of declarations, from which the contract derives requests.
  {
    name: 'd01 a field that the model requires is optional',
    edits: [
      [
        "date: requestTime.describe('The day of the event",
        "date: requestTime.optional().describe('The day of the event",
      ],
    ],
  },
  {
    name: 'd02 a new filter, without its model',
    in: 'functions/src/flash',
    edits: [
      [
        'pageParameters({ maxLimit: 50, defaultLimit: 20 })',
        "pageParameters({ maxLimit: 50, defaultLimit: 20 }).extend({ isAvailable: z.enum(['true', 'false']).optional().describe('x') })",
      ],
      [
        '({ params, query }) => listVisibleFlash(params.id, query)',
        "({ params, query }) => listVisibleFlash(query.isAvailable === 'false' ? 'nobody' : params.id, query)",
      ],
    ],
  },
  {
    name: 'd03 a stored field is renamed',
    edits: [['viewCount: safeInteger', 'views: safeInteger']],
  },
  {
    name: 'd04 a new field of a body, without its model',
    edits: [
      [
        'title: boundedString(MAX_TITLE_LENGTH).describe(',
        "note: z.string().optional().describe('x'), title: boundedString(MAX_TITLE_LENGTH).describe(",
      ],
    ],
  },
];
