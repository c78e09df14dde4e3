/** HTTPS functions from declarations: see README.md. */

// For services.
export { type ErrorCode, FieldError, type RequestField } from './errors.ts';
export { defineEndpoint } from './http/endpoint.ts';
export { pageFields, pageParameters } from './http/pagination.ts';
export { Created, Success } from './http/success.ts';
export { boundedDocumentList, documentId, documentIdList } from './ids.ts';
export { INT64_JSON_SCHEMA, safeInteger } from './numbers.ts';
export { databaseId, region, serviceAccount } from './parameters.ts';
export { enumParameter, integerParameter, stringParameter, booleanParameter } from './setting.ts';
export { boundedString } from './texts.ts';

// For tools that derive documents, rewrites and clients from the declarations.
export {
  type DeployedEndpoint,
  getExample,
  listFunctions,
  toCloudRunServiceName,
  toFunctionTarget,
} from './deployMap.ts';
export {
  type EndpointDeclaration,
  type Endpoint,
  type EndpointExample,
  isWrite,
} from './http/declaration.ts';
export { idempotencyKeySchema } from './http/newId.ts';
export { MAX_BODY_VALUES } from './http/requestBody.ts';
export { isDocumentId, MAX_ID_LIST_BYTES, MAX_ID_BYTES } from './ids.ts';
export { DOCUMENTS_PER_RATE_LIMIT_UNIT } from './parameters.ts';

// Internal: for the build, the collections package and tests.
export { ServiceError, unavailableError } from './errors.ts';
export { validate } from './http/input.ts';
export { hashId } from './http/requestLog.ts';
export { logCallers } from './parameters.ts';
export { disableDomains, prepareProcess } from './platform/functionsFramework.ts';
export { firestoreTokenSource, getProjectId } from './platform/project.ts';
export { currentContext, RequestContext } from './platform/requestContext.ts';
export { unwrapSchema } from './wrappers.ts';
