/** HTTPS functions from declarations: see README.md. */

// For services.
export { type ErrorCode, FieldError, type RequestField } from './errors.ts';
export { endpoint } from './http/endpoint.ts';
export { pageFields, pageParameters } from './http/pagination.ts';
export { Created, Success } from './http/success.ts';
export { boundedList, documentId, idList } from './ids.ts';
export { INT64, wholeNumber } from './numbers.ts';
export { databaseId, region, serviceAccount } from './parameters.ts';
export { choice, integer, text, trueOrFalse } from './setting.ts';
export { requestText } from './texts.ts';

// For tools that derive documents, rewrites and clients from the declarations.
export { type DeployedEndpoint, exampleOf, functionsIn, serviceOf, targetOf } from './deployMap.ts';
export { type Declaration, type Endpoint, type Example, isWrite } from './http/declaration.ts';
export { idempotencyKey } from './http/newId.ts';
export { MAX_VALUES } from './http/requestBody.ts';
export { isDocumentId, MAX_BYTES_OF_IDS, MAX_ID_BYTES } from './ids.ts';
export { DOCUMENTS_PER_REQUEST } from './parameters.ts';

// Internal: for the build, the collections package and tests.
export { ServiceError, unavailable } from './errors.ts';
export { validated } from './http/input.ts';
export { hashed } from './http/requestLog.ts';
export { logCallers } from './parameters.ts';
export { disableDomains, prepareProcess } from './platform/functionsFramework.ts';
export { firestoreTokens, projectId } from './platform/project.ts';
export { currentContext, RequestContext } from './platform/requestContext.ts';
export { withoutWrappers } from './wrappers.ts';
