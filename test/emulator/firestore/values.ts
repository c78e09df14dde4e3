import { inMicroseconds } from './clock.ts';
import type { Fields, Value } from './messages.ts';
import { Status, StatusError } from './status.ts';

const RESOURCE = /^projects\/[^/]+\/databases\/[^/]+\/documents\/./;

/** The fields as stored by the service; throws what the service refuses. */
export function storedFields(fields: Fields | null | undefined): Fields {
  return Object.fromEntries(
    Object.entries(fields ?? {}).map(([name, value]) => {
      if (name === '') throw invalid('The property.name is the empty string.');
      if (/^__.*__$/s.test(name) && !isVectorType(name, value)) {
        throw invalid(`field name ${name} is reserved`);
      }
      return [name, storedValue(value)];
    }),
  );
}

/** One value as stored by the service, normalized from all forms in which it can be sent. */
export function storedValue(value: Value): Value {
  if (value.mapValue) return { mapValue: { fields: storedFields(value.mapValue.fields) } };
  if (value.arrayValue) {
    const values = value.arrayValue.values ?? [];
    if (values.some(({ arrayValue }) => arrayValue)) {
      throw invalid('Cannot convert an array value in an array value.');
    }
    return { arrayValue: { values: values.map(storedValue) } };
  }
  if (isSet(value.integerValue)) return { integerValue: String(value.integerValue) };
  if (isSet(value.doubleValue)) return { doubleValue: value.doubleValue };
  if (isSet(value.stringValue)) return { stringValue: value.stringValue };
  if (isSet(value.booleanValue)) return { booleanValue: value.booleanValue };
  if (isSet(value.nullValue)) return { nullValue: 'NULL_VALUE' };
  if (value.timestampValue) return { timestampValue: inMicroseconds(value.timestampValue) };
  if (isSet(value.bytesValue)) return { bytesValue: Buffer.from(value.bytesValue) };
  if (isSet(value.referenceValue)) {
    if (!RESOURCE.test(value.referenceValue)) throw invalid('A resource name is invalid.');
    return { referenceValue: value.referenceValue };
  }
  if (value.geoPointValue) {
    const { latitude = 0, longitude = 0 } = value.geoPointValue;
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
      throw invalid('A geo point is outside of the permitted range.');
    }
    return { geoPointValue: { latitude, longitude } };
  }
  throw invalid('Cannot convert firestore.v1.Value with type unset.');
}

/**
 * The sum as computed by the service: integers stay integers within 64 bits, and a base
 * that is not a number is ignored.
 */
export function sum(base: Value | undefined, operand: Value): Value {
  if (base === undefined || numberOf(base) === undefined) return operand;
  if (isSet(base.integerValue) && isSet(operand.integerValue)) {
    const exact = BigInt(base.integerValue) + BigInt(operand.integerValue);
    return { integerValue: String(clamped(exact)) };
  }
  return { doubleValue: (numberOf(base) ?? 0) + (numberOf(operand) ?? 0) };
}

/** The numeric value rounded to a double; undefined if the value is not a number. */
export function numberOf({ integerValue, doubleValue }: Value): number | undefined {
  if (isSet(integerValue)) return Number(integerValue);
  return doubleValue ?? undefined;
}

function clamped(integer: bigint): bigint {
  const most = 2n ** 63n - 1n;
  return integer > most ? most : integer < -most - 1n ? -most - 1n : integer;
}

function isSet<Kind>(value: Kind | null | undefined): value is Kind {
  return value !== null && value !== undefined;
}

/** The only reserved name that clients may write: it marks a map as a vector. */
function isVectorType(name: string, value: Value): boolean {
  return name === '__type__' && value.stringValue === '__vector__';
}

function invalid(message: string): StatusError {
  return new StatusError(Status.INVALID_ARGUMENT, message);
}
