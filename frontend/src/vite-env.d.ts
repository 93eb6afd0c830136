// Names that the build puts in.
declare const __BUILD_STAMP__: string;
