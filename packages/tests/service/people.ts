let made = 0;
/** A person whose every trace can be told from others', with all the details that a student may have. */
export const newPerson = (firstName: string) => {
  made += 1;
  const lastName = `Quandorf${firstName}${Date.now().toString(36)}`;
  const [address, digits] = [`${lastName} Street`, String(Date.now() + made).slice(-9)];
  return {
    ...{ firstName, lastName, email: `${firstName}.${lastName}@Example.com`, phone: `+5511${digits}` },
    ...{
      dob: `19${digits.slice(-2)}-0${1 + (made % 9)}-1${Math.floor(made / 9)}`,
      addressLine1: address,
      city: `${lastName}city`,
      state: `${lastName}state`,
    },
    ...{ postcode: `P${digits}`, countryCode: "BR", taxIdentificationNumber: `TAX-${digits}` },
  };
};
export type Person = ReturnType<typeof newPerson>;

/** The texts by which a person can be told. */
export const marksOf = ({ firstName, countryCode, ...marks }: Person): string[] => Object.values(marks);
export const tells = (text: string, mark: string): boolean => text.toLowerCase().includes(mark.toLowerCase());
