/** HTTPS functions from declarations: see README.md. */

// For services.
export {
  type ErrorCode,
  FieldError,
  type RequestField,
  ServiceError,
} from './declaration/errors.ts';
export { defineEndpoint } from './defineEndpoint.ts';
export { unknownPath } from './unknownPath.ts';
export { runInBackground } from './runtime/runInBackground.ts';
export {
  isPageSizeSchema,
  pageParameters,
  pageResponse,
  pageResponseWithTotal,
} from './schemas/pagination.ts';
export { Created, Success } from './schemas/responses.ts';
export { boundedDocumentList, documentId, documentIdList } from './schemas/documentIds.ts';
export { boundedString, INT64_JSON_SCHEMA, safeInteger } from './schemas/primitives.ts';
export { databaseId, region, serviceAccount } from './declaration/parameters.ts';
export {
  defineEnumParameter,
  defineIntegerParameter,
  defineStringParameter,
  defineBooleanParameter,
} from './declaration/defineParameter.ts';

// For tools that derive documents, rewrites and clients from the declarations.
export {
  type DeployedEndpoint,
  getExample,
  listFunctions,
  type ServiceFunctions,
  toCloudRunServiceName,
  toFunctionTarget,
} from './deployedFunctions.ts';
export {
  type EndpointDeclaration,
  type EndpointExample,
  isEndpoint,
} from './declaration/declaration.ts';
export { HTTP_STATUS_BY_CODE } from './declaration/errors.ts';
export { idempotencyKeySchema } from './request/idempotency.ts';
export { MAX_BODY_VALUES } from './request/jsonBody.ts';
export {
  isDocumentId,
  isDocumentIdSchema,
  MAX_ID_LIST_BYTES,
  MAX_ID_BYTES,
} from './schemas/documentIds.ts';
export { DOCUMENTS_PER_RATE_LIMIT_UNIT } from './declaration/parameters.ts';

// Internal: for the build and the collections package.
export { outcomeUnknownError, unavailableError } from './declaration/errors.ts';
export { disableDomains } from './runtime/disableDomains.ts';
export { startProcess } from './startProcess.ts';
export { createMetadataTokenSource } from './runtime/metadataTokens.ts';
export { getProjectId } from './runtime/environment.ts';
export { getCurrentContext, RequestContext } from './runtime/requestContext.ts';
export { listSchemaLayers, unwrapSchema } from './schemas/unwrap.ts';
