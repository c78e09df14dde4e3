export { type DeployedEndpoint, exampleOf, functionsIn } from './deployMap.ts';
export {
  type ErrorCode,
  FieldError,
  type RequestField,
  ServiceError,
  unavailable,
} from './errors.ts';
export { serviceOf, targetOf } from './functionNames.ts';
export { type Declaration, type Endpoint, type Example, isWrite } from './http/declaration.ts';
export { endpoint } from './http/endpoint.ts';
export { validated } from './http/input.ts';
export { idempotencyKey } from './http/newId.ts';
export { pageFields, pageParameters } from './http/pagination.ts';
export { MAX_VALUES } from './http/requestBody.ts';
export { hashed } from './http/requestLog.ts';
export { Created, Success } from './http/success.ts';
export {
  boundedList,
  documentId,
  idList,
  isDocumentId,
  MAX_BYTES_OF_IDS,
  MAX_ID_BYTES,
} from './ids.ts';
export { INT64, wholeNumber } from './numbers.ts';
export {
  databaseId,
  DOCUMENTS_PER_REQUEST,
  logCallers,
  region,
  serviceAccount,
} from './parameters.ts';
export { disableDomains, prepareProcess } from './platform/functionsFramework.ts';
export { firestoreTokens, projectId } from './platform/project.ts';
export { currentContext, RequestContext } from './platform/requestContext.ts';
export { choice, integer, text, trueOrFalse, type Setting } from './setting.ts';
export { requestText } from './texts.ts';
export { withoutWrappers } from './wrappers.ts';
