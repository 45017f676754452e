/** What some disk leaves out when it compares names. Source: git's is_hfs_dotgit. */
const IGNORABLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** One form for every spelling that some disk (APFS, HFS+, NTFS, a folding ext4) takes for the same name; rather too many than too few. */
export function foldName(name: string): string {
  // Upper case first: ſ, ß and the Kelvin sign meet their letters there.
  return name.replace(IGNORABLE, "").normalize("NFD").toUpperCase().toLowerCase().normalize("NFD");
}
