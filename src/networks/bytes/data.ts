/** Values that messages and frames consist of, as plain data. */

/** `0a0b0c`: two digits for each byte. */
export type Hex = string;

/** `00:00:5e:00:53:01`, in lower case. */
export type MacAddress = string;

/** `192.0.2.1`. */
export type Ipv4Address = string;

/** A number of 64 bits: a bigint only if a number is not exact, beyond 2^53 - 1. */
export type Uint64 = number | bigint;

/** Bits of a field, from the lowest. A bit without a name in the standard is called by its place, such as `bit31`. */
export type SetBits<N extends string> = readonly (N | `bit${number}`)[];
