// The languages of the page and the forms that their plurals have.
export const languages = {};
for (const code of ['en', 'hr', 'sr', 'sk', 'hu', 'de'])
    languages[code] = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
