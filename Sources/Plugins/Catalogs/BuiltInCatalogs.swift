public import PluginKit

/// The catalogs on the web that are compiled in, in the order of a list.
public enum BuiltInCatalogs {
    public static let all: [any WebCatalog] = [TMDB(), OMDb(), AudioDB()]
}
