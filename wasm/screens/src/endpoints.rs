//! Endpoint strings in the browser: user names, lists in every format, and lists of other shops; and whitelist entries.
use postern_core::endpoint::{
    self, Conversion, ConvertInto, EndpointError, EndpointFormat, EndpointLimits, EndpointServer, EndpointSettings,
    EndpointUser, ListRequest, Template, UserName, UserParts,
};
use postern_core::field_errors::FieldErrors;
use postern_core::network;
use postern_core::wanted_places::{self, WantedPlaces};
use postern_face::errors::{ErrorCode, invalid_fields, unknown};
use postern_face::forms::{broken_rules, check};
use postern_face::values::{read, read_list, write, write_as};
use tsify::Ts;
use wasm_bindgen::prelude::*;

fn known_format(format: &str) -> Result<EndpointFormat, JsValue> {
    EndpointFormat::from_wire(format).ok_or_else(|| unknown(ErrorCode::UnknownFormat, "format", format))
}

fn invalid(field: &str, error: EndpointError) -> JsValue {
    invalid_fields(&error.at(field))
}

/// Maximum lengths of the parts of user names, and limits for form fields.
///
/// ```ts
/// endpoints.endpointLimits().ListMax; // 100000
/// ```
#[wasm_bindgen(js_name = endpointLimits)]
pub fn endpoint_limits() -> Result<Ts<EndpointLimits>, JsValue> {
    write_as(&EndpointLimits::default())
}

/// The names of the formats, the default first.
///
/// ```ts
/// endpoints.endpointFormats(); // ['host_port_user_pass', 'user_pass_at_host_port', 'url', …]
/// ```
#[wasm_bindgen(js_name = endpointFormats, unchecked_return_type = "EndpointFormat[]")]
pub fn endpoint_formats() -> Vec<String> {
    EndpointFormat::ALL.iter().map(|format| format.as_str().to_owned()).collect()
}

/// Formats endpoints, one per line. Throws `UnknownFormat`, and `InvalidFields` at `Endpoints.{index}.{field}` for what the format cannot
/// represent, such as a `:` in a colon-separated password. Lines of curl request `target`, by default `https://example.com`.
///
/// ```ts
/// const endpoint = { Scheme: 'http', Host: '198.18.0.7', Port: 8080, UserName: 'ann', Password: 'p@ss' };
/// endpoints.formatEndpoints([endpoint], 'url'); // 'http://ann:p%40ss@198.18.0.7:8080'
/// ```
#[wasm_bindgen(js_name = formatEndpoints)]
pub fn format_endpoints(
    #[wasm_bindgen(unchecked_param_type = "Endpoint[]")] endpoints: JsValue,
    #[wasm_bindgen(unchecked_param_type = "EndpointFormat")] format: &str,
    target: Option<String>,
) -> Result<String, JsValue> {
    let (format, endpoints) = (known_format(format)?, read_list("Endpoints", endpoints)?);
    endpoint::format_endpoints(&endpoints, format, target.as_deref()).map_err(|fields| invalid_fields(&fields))
}

/// Formats endpoints by a custom template, one per line. Throws `InvalidFields` at `Template` or at `Endpoints.{index}.{field}`.
///
/// ```ts
/// const endpoint = { Scheme: 'http', Host: 'gate.example', Port: 80, UserName: 'user-ann-country-us', Password: 'pw' };
/// endpoints.formatByTemplate([endpoint], '{country}|{host}|{port}'); // 'us|gate.example|80'
/// ```
#[wasm_bindgen(js_name = formatByTemplate)]
pub fn format_by_template(
    #[wasm_bindgen(unchecked_param_type = "Endpoint[]")] endpoints: JsValue,
    template: &str,
) -> Result<String, JsValue> {
    endpoint::format_by_template(&read_list("Endpoints", endpoints)?, template)
        .map_err(|fields| invalid_fields(&fields))
}

/// Validates a template; errors are at `Template`. Empty if valid.
///
/// ```ts
/// endpoints.validateTemplate('{host}:{prot}'); // { Template: [{ Rule: 'endpointPlaceholder', Params: { Name: 'prot', Position: '8' } }] }
/// ```
#[wasm_bindgen(js_name = validateTemplate)]
pub fn validate_template(template: &str) -> Result<Ts<FieldErrors>, JsValue> {
    let errors = Template::parse(template).err().map(|error| error.at("Template"));
    write_as(&errors.unwrap_or_default())
}

/// The placeholders of templates.
///
/// ```ts
/// endpoints.templatePlaceholders(); // ['host', 'port', 'user', 'pass', 'scheme', 'country', 'session']
/// ```
#[wasm_bindgen(js_name = templatePlaceholders, unchecked_return_type = "Placeholder[]")]
pub fn template_placeholders() -> Vec<String> {
    endpoint::Placeholder::ALL.iter().map(|placeholder| placeholder.as_str().to_owned()).collect()
}

/// Formats a user name. Throws `InvalidFields` with all errors.
///
/// ```ts
/// endpoints.formatUserName({ Name: 'ann', Country: 'us', Session: 'a1', TtlMinutes: 30 }); // 'user-ann-country-us-session-a1-ttl-30'
/// ```
#[wasm_bindgen(js_name = formatUserName)]
pub fn format_user_name(parts: Ts<UserParts>) -> Result<String, JsValue> {
    let user = UserName::new(read("parts", parts)?);
    user.map(|user| user.to_string()).map_err(|fields| invalid_fields(&fields))
}

/// Validates the parts of a user name; errors are by field. Empty if valid.
///
/// ```ts
/// endpoints.validateUserName({ Name: 'Ann' }); // { Name: [{ Rule: 'endpointCharacters', Params: { Part: 'name' } }] }
/// ```
#[wasm_bindgen(js_name = validateUserName)]
pub fn validate_user_name(parts: Ts<UserParts>) -> Result<Ts<FieldErrors>, JsValue> {
    check("parts", parts, |parts| UserName::new(parts.clone()))
}

/// Parses a user name. Throws `InvalidFields` at `UserName`.
///
/// ```ts
/// endpoints.readUserName('user-ann-country-us'); // { Name: 'ann', Country: 'us' }
/// ```
#[wasm_bindgen(js_name = readUserName)]
pub fn read_user_name(text: &str) -> Result<Ts<UserParts>, JsValue> {
    let user = UserName::parse(text).map_err(|error| invalid("UserName", error))?;
    write_as(user.parts())
}

/// The name of a state or a city in the form for user names.
///
/// ```ts
/// endpoints.placePart('São Paulo'); // 'sao_paulo'
/// ```
#[wasm_bindgen(js_name = placePart)]
pub fn place_part(name: &str) -> String {
    endpoint::place_part(name)
}

/// Parses pasted lines, each in any format: each line's endpoint and format, or its error.
///
/// ```ts
/// endpoints.readEndpoints('198.18.0.1:80:ann:pw\nwhat');
/// // [{ Line: 1, Endpoint: { … }, Format: 'host_port_user_pass' }, { Line: 2, Broken: { Rule: 'endpointUnread', Params: {} } }]
/// ```
#[wasm_bindgen(js_name = readEndpoints, unchecked_return_type = "ReadLine[]")]
pub fn read_endpoints(text: &str) -> Result<JsValue, JsValue> {
    write(&endpoint::read_endpoints(text))
}

/// Parses a list of cities with quantities as people write it, in either language.
///
/// ```ts
/// endpoints.readWantedPlaces('Tokyo 5, 巴黎 3, Atlantis 2');
/// // { Cities: [{ Country: 'JP', City: 'tokyo', Quantity: 5 }, { Country: 'FR', City: 'paris', Quantity: 3 }], Unread: ['Atlantis 2'] }
/// ```
#[wasm_bindgen(js_name = readWantedPlaces)]
pub fn read_wanted_places(text: &str) -> Result<Ts<WantedPlaces>, JsValue> {
    write_as(&wanted_places::read_wanted_places(text))
}

/// The shops whose lists can be converted.
///
/// ```ts
/// endpoints.dialects()[0]; // { Key: 'oxylabs', Name: 'Oxylabs', Example: 'customer-ann-cc-US-…' }
/// ```
#[wasm_bindgen(js_name = dialects, unchecked_return_type = "Dialect[]")]
pub fn dialects() -> Result<JsValue, JsValue> {
    write(&endpoint::dialects())
}

/// Converts lines pasted from another shop, and notes what has no equivalent. Throws `InvalidFields` at `Dialect` for an unknown one.
///
/// ```ts
/// const pasted = 'customer-ann-cc-US-asn-7922:pw@pr.oxylabs.io:7777';
/// const { Text, Lines } = endpoints.convertEndpoints(pasted, { Host: 'gate.example', Port: 8000 });
/// // Text is 'gate.example:8000:user-ann-country-us:pw', and Lines[0].Notes says that asn has no equivalent
/// ```
#[wasm_bindgen(js_name = convertEndpoints)]
pub fn convert_endpoints(text: &str, into: Ts<ConvertInto>) -> Result<Ts<Conversion>, JsValue> {
    let converted = endpoint::convert_endpoints(text, &read("into", into)?);
    write_as(&converted.map_err(|error| {
        let field = if matches!(error, EndpointError::Target { .. }) { "Target" } else { "Dialect" };
        invalid(field, error)
    })?)
}

/// Builds a gateway's list of up to 100,000 lines, each with its own session if `Sticky`. Throws `InvalidFields`.
///
/// ```ts
/// endpoints.buildList({
///   Scheme: 'http', Host: 'gate.example', Ports: [8000], User: { Name: 'ann', Country: 'us' }, Password: 'pw',
///   Count: 1000, Sticky: true, Seed: crypto.randomUUID(), Format: 'url',
/// }); // 'http://user-ann-country-us-session-…:pw@gate.example:8000\n…'
/// ```
#[wasm_bindgen(js_name = buildList)]
pub fn build_list(request: Ts<ListRequest>) -> Result<String, JsValue> {
    postern_hot::build_list(&read("request", request)?).map_err(|fields| invalid_fields(&fields))
}

/// The argument of `buildList` for settings of the endpoint generator. The same seed gives the same sessions. Throws `InvalidFields` for a
/// protocol that the server does not support.
///
/// ```ts
/// const settings = { ServerId: 1, Scheme: 'http', Country: 'us', Sticky: true, TtlMinutes: 10, Count: 1000, Format: 'url' };
/// const server = { Host: 'gate.example', HttpPort: 8000 };
/// endpoints.buildList(endpoints.listRequest(settings, server, { Name: 'ann', Password: 'pw' }, crypto.randomUUID()));
/// ```
#[wasm_bindgen(js_name = listRequest)]
pub fn list_request(
    settings: Ts<EndpointSettings>,
    server: Ts<EndpointServer>,
    user: Ts<EndpointUser>,
    seed: &str,
) -> Result<Ts<ListRequest>, JsValue> {
    let request =
        endpoint::list_request(&read("settings", settings)?, &read("server", server)?, &read("user", user)?, seed);
    write_as(&request.map_err(|fields| invalid_fields(&fields))?)
}

/// Builds a list of up to 100,000 nodes from text, one line per node: scheme, host, port, user name, password and country (may be empty),
/// separated by tabs; passing one string is much faster than passing many objects. A template replaces the format. Throws `UnknownFormat`,
/// and `InvalidFields` at `Template` or at `Nodes.{index}.{field}`.
///
/// ```ts
/// const rows = nodes.map((node) => ['http', node.Ip, node.HttpPort, node.UserName, node.Password, node.Country].join('\t'));
/// endpoints.buildNodeList(rows.join('\n'), 'url'); // 'http://u1:pw@198.18.0.7:8080\n…'
/// endpoints.buildNodeList(rows.join('\n'), 'url', '{country} {host}'); // 'us 198.18.0.7\n…'
/// ```
#[wasm_bindgen(js_name = buildNodeList)]
pub fn build_node_list(
    rows: &str,
    #[wasm_bindgen(unchecked_param_type = "EndpointFormat")] format: &str,
    template: Option<String>,
) -> Result<String, JsValue> {
    let list = postern_hot::build_node_list_of_rows(rows, known_format(format)?, template.as_deref());
    list.map_err(|fields| invalid_fields(&fields))
}

/// Validates a whitelist entry; errors are at `Address` and `Label`. Empty if valid. The server also checks that the plan's whitelist has room and
/// lacks the entry.
///
/// ```ts
/// endpoints.validateWhitelistEntry('192.168.1.7', 'office'); // { Address: [{ Rule: 'networkPrivate', Params: {} }] }
/// ```
#[wasm_bindgen(js_name = validateWhitelistEntry)]
pub fn validate_whitelist_entry(address: &str, label: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(network::validate_whitelist_entry(address, label))
}

/// Validates the label of an existing whitelist entry.
#[wasm_bindgen(js_name = validateWhitelistLabel)]
pub fn validate_whitelist_label(label: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(network::validate_whitelist_label(label))
}

/// A whitelist entry as stored: in short form, without host bits. Throws `InvalidFields` at `Address`.
///
/// ```ts
/// endpoints.whitelistEntry(' 8.8.8.8/24 '); // '8.8.8.0/24'
/// ```
#[wasm_bindgen(js_name = whitelistEntry)]
pub fn whitelist_entry(address: &str) -> Result<String, JsValue> {
    let entry = network::whitelist_entry(address);
    entry.map(|network| network.to_string()).map_err(|error| invalid_fields(&error.at("Address")))
}
