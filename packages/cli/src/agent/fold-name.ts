/** What some disk leaves out when it compares names: HFS+ the marks of direction and joining, a folding ext4 all that Unicode lets be ignored. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** One form for every spelling that some disk (APFS, HFS+, NTFS, a folding ext4) takes for the same name; rather too many than too few. */
export function foldName(name: string): string {
  // By way of upper case, where ſ, ß and the Kelvin sign meet their letters; lower first, since the capital ẞ is its own upper case.
  return name.replace(IGNORABLE, "").normalize("NFD").toLowerCase().toUpperCase().toLowerCase().normalize("NFD");
}
