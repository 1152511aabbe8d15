/** A copy of the named fields of an object, as far as it has them: whatever else it holds stays inside. */
export const pick = <Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  names: readonly Name[],
): Pick<Fields, Name> => {
  const picked: Partial<Fields> = {};
  for (const name of names) if (Object.hasOwn(fields, name)) picked[name] = fields[name];
  return picked as Pick<Fields, Name>;
};
