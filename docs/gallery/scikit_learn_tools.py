"""The tools of scikit-learn.

The forests are estimators: a pipeline scales the features, and a grid search finds the parameters by cross-validation. The picture has the
accuracy of each combination on scikit-learn's wine data.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from online_forests.sklearn import MondrianClassifier

X, y = load_wine(return_X_y=True)
pipeline = make_pipeline(MinMaxScaler(), MondrianClassifier(random_state=1, pause="never"))
trees, budgets = [1, 3, 10, 30, 100], [0.3, 1.0, 3.0, 10.0, 30.0]
grid = {"mondrianclassifier__n_estimators": trees, "mondrianclassifier__budget": budgets}
folds = StratifiedKFold(5, shuffle=True, random_state=12)
search = GridSearchCV(pipeline, grid, cv=folds).fit(X, y)

# Budgets change slowest: the names of parameters are sorted.
scores = search.cv_results_["mean_test_score"].reshape(len(budgets), len(trees))
figure, ax = plt.subplots(figsize=(6, 4.6), layout="constrained")
image = ax.imshow(scores, origin="lower")
for row, column in [(row, column) for row in range(len(budgets)) for column in range(len(trees))]:
    ax.text(column, row, f"{scores[row, column]:.3f}", ha="center", va="center", color="white" if scores[row, column] < 0.8 else "black")
ax.set_xticks(range(len(trees)), trees)
ax.set_yticks(range(len(budgets)), budgets)
ax.set(xlabel="n_estimators", ylabel="budget", title=f"best: {search.best_score_:.3f}")
figure.colorbar(image, label="accuracy in five folds")
plt.show()
