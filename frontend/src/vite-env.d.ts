// Constants defined by the build.
declare const __BUILD_STAMP__: string;
/** URLs of the frame's scripts and the rules, which a signed-in user's first screen needs. */
declare const __SIGNED_IN_SCRIPTS__: string[];
declare const __SIGNED_IN_FILES__: string[];
