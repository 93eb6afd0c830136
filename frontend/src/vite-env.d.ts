// Names that the build puts in.
declare const __BUILD_STAMP__: string;
/** The scripts of the frame around a user's screens, and the rules: what comes after the first script where somebody is signed in. */
declare const __SIGNED_IN_SCRIPTS__: string[];
declare const __SIGNED_IN_FILES__: string[];
