/* In build.gradle.kts:
openApiGenerate {
    generatorName = "kotlin"
    inputSpec = "$projectDir/openapi.json"
    packageName = "com.example.marketplace"
    library = "jvm-okhttp4"
    configOptions = mapOf("useCoroutines" to "true", "enumUnknownDefaultCase" to "true")
}
*/
import com.example.marketplace.apis.FlashApi
import com.google.android.gms.tasks.*
import com.google.firebase.auth.FirebaseAuth
import java.io.IOException
import java.util.concurrent.ExecutionException
import okhttp3.*
import org.json.JSONObject

class ApiException(val status: Int, val code: String?, message: String) : IOException(message)

class Marketplace : Interceptor {
    override fun intercept(chain: Interceptor.Chain): Response {
        val request = chain.request().newBuilder()
        FirebaseAuth.getInstance().currentUser?.let {
            request.header("Authorization", "Bearer ${await(it.getIdToken(false)).token}")
        }
        val response = chain.proceed(request.build())
        if (response.code < 300) return response
        val text = response.use { it.body?.string().orEmpty() }
        val message = runCatching { JSONObject(text).getString("message") }
        throw ApiException(
            response.code, response.header("X-Error-Code"), message.getOrDefault("HTTP ${response.code}"))
    }
}

// OkHttp expects an IOException.
fun <T> await(task: Task<T>): T =
    try { Tasks.await(task) } catch (error: ExecutionException) { throw IOException(error.cause) }

val http = OkHttpClient.Builder().retryOnConnectionFailure(false).addInterceptor(Marketplace()).build()
val api = FlashApi("https://PROJECT.web.app/api", http)
