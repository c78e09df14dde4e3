/* Generate the client:
npx @openapitools/openapi-generator-cli generate -i openapi.json -g dart-dio -o marketplace_api \
  --additional-properties=pubName=marketplace_api,enumUnknownDefaultCase=true
cd marketplace_api && dart run build_runner build
*/
import 'package:dio/dio.dart';
import 'package:firebase_auth/firebase_auth.dart';
import 'package:marketplace_api/marketplace_api.dart';

Future<void> authorize(RequestOptions request, RequestInterceptorHandler handler) async {
  try {
    final token = await FirebaseAuth.instance.currentUser?.getIdToken();
    if (token != null) request.headers['Authorization'] = 'Bearer $token';
    handler.next(request);
  } catch (error) {
    handler.reject(DioException(requestOptions: request, error: error));
  }
}

final dio = Dio(BaseOptions(baseUrl: 'https://PROJECT.web.app/api'))
  ..interceptors.add(InterceptorsWrapper(onRequest: authorize));
final api = MarketplaceApi(dio: dio).getFlashApi();

Future<void> showPage(String artistId, [String? cursor]) async {
  try {
    final page = (await api.flashListByArtist(id: artistId, cursor: cursor)).data!;
    show(page.flash, page.nextCursor);
  } on DioException catch (error) {
    final body = error.response?.data;
    final message = body is Map ? body['message'] : error.message;
    showFailure(error.response?.headers.value('x-error-code'), message);
  }
}
