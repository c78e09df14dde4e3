import FirebaseAuth
import Foundation
import HTTPTypes
import OpenAPIRuntime
import OpenAPIURLSession

struct ApiError: Error {
    let status: Int, code: String?, message: String
}

struct Marketplace: ClientMiddleware {
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String,
        next: @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var request = request
        if let user = Auth.auth().currentUser {
            request.headerFields[.authorization] = "Bearer \(try await user.getIDToken())"
        }
        let (response, received) = try await next(request, body, baseURL)
        guard response.status.code >= 300 else { return (response, received) }
        let data = try await Data(collecting: received ?? HTTPBody(), upTo: 1 << 20)
        let error = try? JSONDecoder().decode([String: String].self, from: data)
        throw ApiError(
            status: response.status.code,
            code: response.headerFields[HTTPField.Name("X-Error-Code")!],
            message: error?["message"] ?? "HTTP \(response.status.code)")
    }
}

let api = Client(
    serverURL: URL(string: "https://PROJECT.web.app/api")!,
    transport: URLSessionTransport(), middlewares: [Marketplace()])

func showPage(of artistId: String, at cursor: String? = nil) async throws {
    do {
        let page = try await api.flashListByArtist(
            path: .init(id: artistId), query: .init(cursor: cursor)
        ).ok.body.json
        show(page.flash, next: page.nextCursor)
    } catch let error as ClientError {
        guard let error = error.underlyingError as? ApiError else { throw error }
        showFailure(error.code, error.message)
    }
}
