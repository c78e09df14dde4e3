/** Derives the fields that documents need from the declaration of their collection. */
import type { Collection, DocumentList } from '@tattoo-marketplace/collections';

/** A required field: without it, the service does not find the document, or rejects all changes of it. */
export interface FieldRequirement {
  /** The path of the field: `order`, `artistInfo.isVerified`. */
  readonly field: string;
  /** True if `null` is accepted. */
  readonly mayBeNull?: boolean;
  /** The requirement applies to documents with these values. Default: to all documents. */
  readonly appliesWhen?: Readonly<Record<string, string>>;
  /** The consequence for a document without the field. */
  readonly consequence: string;
}

const NOT_LISTED = 'in no list';

/** Returns the required fields of the documents of a collection. */
export function getFieldRequirements({
  lists,
  owner,
  requiredFields,
}: Collection): readonly FieldRequirement[] {
  const listRequirements = lists.flatMap((list) => [
    ...getFilterRequirements(list).filter(
      (requirement) => !lists.some((other) => mayContain(other, requirement)),
    ),
    ...getSortRequirements(list, lists),
  ]);
  return [
    // Two lists may have the same requirement.
    ...new Map(
      listRequirements.map((requirement) => [JSON.stringify(requirement), requirement]),
    ).values(),
    ...(owner === undefined ? [] : [{ field: owner, consequence: 'no user can change it' }]),
    ...Object.entries(requiredFields).map(([field, consequence = '']) => ({ field, consequence })),
  ];
}

function getFilterRequirements({ filterBy, where }: DocumentList): FieldRequirement[] {
  const filters = Object.entries(where);
  return [
    ...filterBy.map((field) => ({ field, consequence: NOT_LISTED })),
    ...filters.map(([field]) => {
      // The list contains documents of one type only, such as `userType` artist.
      const types = filters.filter(
        (filter): filter is [string, string] =>
          filter[0] !== field && typeof filter[1] === 'string',
      );
      return { field, appliesWhen: Object.fromEntries(types), consequence: NOT_LISTED };
    }),
  ];
}

/** A document without the sort field is missing in this list, even if it is in another one. */
function getSortRequirements(
  { orderBy }: DocumentList,
  lists: readonly DocumentList[],
): FieldRequirement[] {
  if (orderBy === undefined) return [];
  const isListed = lists.some((list) => mayContain(list, { field: orderBy }));
  const consequence = isListed ? `in no list by \`${orderBy}\`` : NOT_LISTED;
  return [{ field: orderBy, mayBeNull: true, consequence }];
}

/** Returns whether a list may contain a document that lacks a required field: another filter is optional. */
function mayContain(
  { filterBy, where, orderBy }: DocumentList,
  { field, appliesWhen = {} }: Pick<FieldRequirement, 'field' | 'appliesWhen'>,
): boolean {
  const needsField = [...filterBy, ...Object.keys(where), orderBy].includes(field);
  const isOfOtherType = Object.entries(appliesWhen).some(
    ([name, value]) => where[name] !== undefined && where[name] !== value,
  );
  return !needsField && !isOfOtherType;
}
