//! The validation rules: each is a key of `locales/{language}/validation.json`, with the parameters of its message.

macro_rules! rules {
    ($($name:ident = $key:literal [$($param:literal),*];)+) => {
        /// A validation rule, by the key of its message in `locales/{language}/validation.json`.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq, serde::Deserialize)]
        #[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "camelCase")]
        pub enum Rule { $($name),+ }

        impl Rule {
            pub const ALL: &'static [Rule] = &[$(Rule::$name),+];

            /// The value on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Rule::$name => $key),+ }
            }

            /// The names of its parameters: the placeholders of its message.
            pub fn params(self) -> &'static [&'static str] {
                match self { $(Rule::$name => &[$($param),*]),+ }
            }
        }
    };
}

rules! {
    Required = "required" [];
    Email = "email" [];
    MinLength = "minLength" ["Min"];
    MaxLength = "maxLength" ["Max"];
    PasswordTooSimple = "passwordTooSimple" [];
    PasswordIsEmail = "passwordIsEmail" [];
    InviteCode = "inviteCode" [];
    UnknownInviteCode = "unknownInviteCode" [];
    Amount = "amount" [];
    AmountMin = "amountMin" ["Min"];
    AmountMax = "amountMax" ["Max"];
    UnknownTier = "unknownTier" [];
    TierNotSold = "tierNotSold" [];
    UseCaseKey = "useCaseKey" [];
    UseCaseTaken = "useCaseTaken" [];
    UseCaseTwice = "useCaseTwice" ["Value"];
    TooManyUseCases = "tooManyUseCases" ["Max"];
    UnknownPeriod = "unknownPeriod" [];
    ChooseAnIp = "chooseAnIp" [];
    TooManyCities = "tooManyCities" ["Max"];
    AtLeastOne = "atLeastOne" [];
    RepeatedCity = "repeatedCity" [];
    TooManyIps = "tooManyIps" ["Max"];
    TooManyHeld = "tooManyHeld" ["Max", "Held", "Missing", "NextMax"];
    TooManyHeldAtMost = "tooManyHeldAtMost" ["Max", "Held"];
    AmountDue = "amountDue" ["Amount"];
    UnknownPaymentMethod = "unknownPaymentMethod" [];
    UnknownKind = "unknownKind" [];
    IdempotencyKey = "idempotencyKey" ["Max"];
    Malformed = "malformed" ["Detail"];
    Time = "time" [];
    RepeatedTier = "repeatedTier" [];
    CouponTaken = "couponTaken" [];
    CouponUnknown = "couponUnknown" [];
    CouponNotYet = "couponNotYet" ["From"];
    CouponEnded = "couponEnded" [];
    CouponUsedUp = "couponUsedUp" ["Limit"];
    CouponAllUsed = "couponAllUsed" [];
    CouponFirstOrder = "couponFirstOrder" [];
    CouponOtherProducts = "couponOtherProducts" [];
    CouponMinimum = "couponMinimum" ["Min"];
    InvisibleCharacters = "invisibleCharacters" [];
    BrokenCharacter = "brokenCharacter" [];
    Phone = "phone" [];
    TaxNumber = "taxNumber" [];
    Website = "website" [];
    Country = "country" [];
    PostalCode = "postalCode" [];
    PasswordSame = "passwordSame" [];
    EmailSame = "emailSame" [];
    CredentialsEmpty = "credentialsEmpty" [];
    UserName = "userName" [];
    ProxyPassword = "proxyPassword" [];
    ProxyPasswordKinds = "proxyPasswordKinds" [];
    PasswordHasUserName = "passwordHasUserName" [];
    Colour = "colour" [];
    WebhookHttps = "webhookHttps" [];
    WebhookAddress = "webhookAddress" [];
    WebhookCredentials = "webhookCredentials" [];
    WebhookFragment = "webhookFragment" [];
    WebhookPrivate = "webhookPrivate" [];
    ChooseAnEvent = "chooseAnEvent" [];
    EventNotForWebhooks = "eventNotForWebhooks" [];
    Gigabytes = "gigabytes" [];
    GigabytesMin = "gigabytesMin" ["Min"];
    GigabytesMax = "gigabytesMax" ["Max"];
    CycleWithoutLimit = "cycleWithoutLimit" [];
    TimeInFuture = "timeInFuture" [];
    TooManyCountries = "tooManyCountries" ["Max"];
    CouponCode = "couponCode" ["Min", "Max"];
    ExchangeRate = "exchangeRate" ["Places"];
    FeedPath = "feedPath" [];
    FeedUnread = "feedUnread" [];
    Margin = "margin" ["Max"];
    EndpointPrefix = "endpointPrefix" [];
    EndpointMissing = "endpointMissing" ["Part"];
    EndpointCharacters = "endpointCharacters" ["Part"];
    EndpointLength = "endpointLength" ["Max", "Part"];
    EndpointCountry = "endpointCountry" ["Value"];
    EndpointTtl = "endpointTtl" ["Min", "Max"];
    EndpointTarget = "endpointTarget" ["Value"];
    EndpointTtlWithoutSession = "endpointTtlWithoutSession" [];
    EndpointUnknownPart = "endpointUnknownPart" ["Value", "Position"];
    EndpointOrder = "endpointOrder" ["Part", "Position"];
    EndpointScheme = "endpointScheme" ["Value"];
    EndpointHost = "endpointHost" ["Value"];
    EndpointPort = "endpointPort" ["Value"];
    EndpointForbidden = "endpointForbidden" ["Character", "Part"];
    EndpointPercent = "endpointPercent" [];
    EndpointJson = "endpointJson" [];
    EndpointCsv = "endpointCsv" [];
    EndpointCurl = "endpointCurl" [];
    EndpointUnread = "endpointUnread" [];
    EndpointAmbiguous = "endpointAmbiguous" [];
    EndpointPlaceholder = "endpointPlaceholder" ["Name", "Position"];
    EndpointBrace = "endpointBrace" ["Position"];
    EndpointLine = "endpointLine" ["Max"];
    EndpointCount = "endpointCount" ["Max"];
    EndpointDialect = "endpointDialect" ["Value"];
    DialectUnknown = "dialectUnknown" [];
    DialectNotRead = "dialectNotRead" ["Value"];
    DialectNoEquivalent = "dialectNoEquivalent" ["Key", "Value"];
    DialectUnknownKey = "dialectUnknownKey" ["Key", "Value"];
    DialectChanged = "dialectChanged" ["Part", "From", "To"];
    DialectTtl = "dialectTtl" ["From", "To"];
    DialectTtlWithoutSession = "dialectTtlWithoutSession" [];
    DialectStrict = "dialectStrict" [];
    Network = "network" [];
    NetworkPrefix = "networkPrefix" ["Max"];
    NetworkTooWide = "networkTooWide" ["Min"];
    NetworkPrivate = "networkPrivate" [];
    NetworkLoopback = "networkLoopback" [];
    NetworkLinkLocal = "networkLinkLocal" [];
    NetworkShared = "networkShared" [];
    NetworkMulticast = "networkMulticast" [];
    NetworkDocumentation = "networkDocumentation" [];
    NetworkReserved = "networkReserved" [];
    GroupNameTaken = "groupNameTaken" [];
    TooManySorts = "tooManySorts" ["Max"];
    ListKey = "listKey" [];
    TooManyGroups = "tooManyGroups" ["Max"];
    UnknownAccessMode = "unknownAccessMode" [];
    WhitelistEmpty = "whitelistEmpty" [];
    WhitelistRepeated = "whitelistRepeated" [];
    WhitelistFull = "whitelistFull" ["Max"];
    WhitelistTooWide = "whitelistTooWide" ["Max"];
    WhitelistNeedsTraffic = "whitelistNeedsTraffic" [];
    TooManyNodes = "tooManyNodes" ["Max"];
    UnknownFormat = "unknownFormat" [];
    Min = "min" ["Min"];
    Max = "max" ["Max"];
    NotWhole = "notWhole" [];
    WrongValue = "wrongValue" [];
    Percent = "percent" [];
    Discount = "discount" ["Max"];
    DiscountOfResellers = "discountOfResellers" [];
    UnknownLevel = "unknownLevel" [];
    PercentOrAmount = "percentOrAmount" [];
    WholeNumber = "wholeNumber" ["Max"];
    EndsBeforeItBegins = "endsBeforeItBegins" [];
    Address = "address" [];
    AddressNotPublic = "addressNotPublic" [];
    Port = "port" [];
    UnknownCountry = "unknownCountry" ["Value"];
    UnknownCity = "unknownCity" ["Value"];
    UnknownCitySimilar = "unknownCitySimilar" ["Similar", "Value"];
    CityOfOtherCountry = "cityOfOtherCountry" ["Country", "Value"];
    Asn = "asn" [];
    UnknownTarget = "unknownTarget" ["Value"];
    NoSuchServer = "noSuchServer" ["Value"];
    NoNetwork = "noNetwork" ["Value"];
    IpPresent = "ipPresent" [];
    IpRepeated = "ipRepeated" [];
    NotUtf8 = "notUtf8" [];
    NotInStock = "notInStock" [];
    NothingToRefund = "nothingToRefund" [];
    TooManyItems = "tooManyItems" ["Max"];
    NestedTooDeep = "nestedTooDeep" ["Max"];
    CardMissing = "cardMissing" [];
    CsvHeader = "csvHeader" ["Columns"];
    CsvColumn = "csvColumn" ["Columns", "Value"];
    CsvColumnRepeated = "csvColumnRepeated" ["Value"];
    CsvRow = "csvRow" [];
    UnknownCycle = "unknownCycle" [];
    NameRepeated = "nameRepeated" [];
    NameTaken = "nameTaken" [];
    UnknownServer = "unknownServer" [];
    UnknownProxyUser = "unknownProxyUser" [];
    NoOtherAccount = "noOtherAccount" [];
    TooManyProxyUsers = "tooManyProxyUsers" ["Max"];
    WholeNumberOrZero = "wholeNumberOrZero" ["Max"];
    TextInOneLanguage = "textInOneLanguage" [];
    AnnouncementLink = "announcementLink" [];
    TooManyAnnouncements = "tooManyAnnouncements" ["Max"];
    AcceptTexts = "acceptTexts" [];
    TextUnchanged = "textUnchanged" [];
    NoSuchPrice = "noSuchPrice" ["Value"];
    LastPrice = "lastPrice" [];
    PeriodRenews = "periodRenews" ["Count"];
    TooLongRange = "tooLongRange" ["Max"];
    AttachmentKind = "attachmentKind" [];
    AttachmentContent = "attachmentContent" [];
    AttachmentEmpty = "attachmentEmpty" [];
    AttachmentSize = "attachmentSize" ["Max"];
    AttachmentPixels = "attachmentPixels" [];
    AttachmentsFull = "attachmentsFull" ["Max"];
    ConversationFull = "conversationFull" ["Max"];
    UnknownAttachment = "unknownAttachment" [];
    UnknownPlaceholder = "unknownPlaceholder" ["Value"];
    ScopeOfOperators = "scopeOfOperators" [];
    TooManyApiKeys = "tooManyApiKeys" ["Max"];
    TimeZone = "timeZone" [];
    Picture = "picture" [];
    PictureBytes = "pictureBytes" ["Max"];
    PictureSides = "pictureSides" ["Max"];
    TwoFactorCode = "twoFactorCode" [];
}

// serde's derived code for this many variants would add 1.5 KB to the wasm file.
impl serde::Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
